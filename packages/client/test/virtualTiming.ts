import type { Timing } from "../src/transport/Timing.js"

/** A clock that jumps to the next timer once no other work is left. Scripted servers respond without timers. */
export const virtualTiming = (random = 0.5) => {
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>()
  const clock = { now: 1_780_000_000_000 }
  let made = 0
  const jump = () => {
    const [next] = [...timers].sort(([, one], [, other]) => one.at - other.at)
    if (next === undefined) return
    timers.delete(next[0])
    clock.now = next[1].at
    next[1].run()
  }
  const timing: Timing = {
    now: () => clock.now,
    random: () => random,
    after: (ms, run) => {
      const id = ++made
      timers.set(id, { at: clock.now + ms, run })
      setImmediate(jump)
      return () => void timers.delete(id)
    }
  }
  return { timing, clock, waiting: () => timers.size }
}
