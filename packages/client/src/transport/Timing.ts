/** Where the transport has time and chance from. */
export interface Timing {
  /** Unix ms. */
  readonly now: () => number
  /** From 0 up to 1. */
  readonly random: () => number
  /** Runs once after so many ms, unless it is cancelled by what is returned. */
  readonly after: (ms: number, run: () => void) => () => void
}

/** Timers that are asked for more run at once. */
const longest = 2 ** 31 - 1

export const realTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, longest))
    return () => clearTimeout(timer)
  }
}

/** Resolves after so many ms, or rejects with the signal's reason. */
export const pause = async (timing: Timing, ms: number, signal: AbortSignal | undefined): Promise<void> => {
  let cancel = () => {}
  const over = new Promise<void>((resolve) => {
    cancel = timing.after(ms, resolve)
  })
  try {
    await untilAborted(over, signal)
  } finally {
    cancel()
  }
}

/** The promise, or the signal's reason if that comes first. */
export const untilAborted = async <A>(promise: Promise<A>, signal: AbortSignal | undefined): Promise<A> => {
  if (signal === undefined) return promise
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener("abort", stop)
  }
}
