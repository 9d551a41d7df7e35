/**
 * A short sound, played by the returned function. Browsers allow sounds only after a gesture of the visitor, so
 * `target` is the element whose gestures count.
 */
export const makeChime = (target: EventTarget): (() => void) => {
  let audio: AudioContext | null = null
  const unlock = (): void => {
    audio ??= "AudioContext" in window ? new AudioContext() : null
  }
  for (const gesture of ["pointerdown", "keydown"]) target.addEventListener(gesture, unlock)
  return () => {
    if (audio === null) return
    const { currentTime, destination } = audio
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.setValueAtTime(660, currentTime)
    tone.frequency.setValueAtTime(880, currentTime + 0.1)
    volume.gain.setValueAtTime(0.08, currentTime)
    volume.gain.exponentialRampToValueAtTime(0.001, currentTime + 0.3)
    tone.connect(volume).connect(destination)
    tone.start()
    tone.stop(currentTime + 0.3)
  }
}
