const tickMs = 1_000

/**
 * Calls `task` after `ms` in which this process ran. Time in which it is stopped, as by SIGSTOP, does not count.
 * Returns a function that cancels it.
 */
export const afterRunning = (ms: number, task: () => void): (() => void) => {
  let left = Math.ceil(ms / tickMs)
  const timer = setInterval(() => {
    left--
    if (left > 0) return
    clearInterval(timer)
    task()
  }, tickMs)
  return () => clearInterval(timer)
}
