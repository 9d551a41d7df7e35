import type { Shutdown } from "./Shutdown.js"

/** Clock, timers and random source of the transport. */
export interface Timing {
  /** Unix ms. */
  readonly now: () => number
  /** In [0, 1). */
  readonly random: () => number
  /** Runs a function once after `ms`. The result cancels it. */
  readonly after: (ms: number, run: () => void) => () => void
}

/** Largest delay of a timer: larger ones fire at once. */
const maxTimerMs = 2 ** 31 - 1

export const realTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, maxTimerMs))
    return () => clearTimeout(timer)
  }
}

/** Resolves with true after `ms`, or earlier with false if `shutdown` begins. Rejects with the reason of `signal`. */
export const pause = async (
  timing: Timing,
  ms: number,
  signal: AbortSignal | undefined,
  shutdown: Shutdown
): Promise<boolean> => {
  if (shutdown.hasBegun()) return false
  let cancel = () => {}
  const over = new Promise<boolean>((resolve) => {
    const clear = timing.after(ms, () => resolve(true))
    const forget = shutdown.onBegin(() => resolve(false))
    cancel = () => {
      clear()
      forget()
    }
  })
  try {
    return await untilAborted(over, signal)
  } finally {
    cancel()
  }
}

/** Settles with the promise, or rejects with the signal's reason if that is earlier. */
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
