const maxDelayMs = 30_000

/**
 * A delay before a retry that grows with each one. It is random, so that pages do not retry at the same time. It ends
 * early when the network is back.
 */
export const makeBackoff = () => {
  let tries = 0
  return {
    reset: (): void => {
      tries = 0
    },
    pause: (atLeast = 0): Promise<void> =>
      new Promise((resolve) => {
        const delay = Math.max(atLeast, Math.min(maxDelayMs, 500 * 2 ** tries++) * (0.5 + Math.random() / 2))
        const done = () => {
          clearTimeout(timer)
          removeEventListener("online", done)
          resolve()
        }
        const timer = setTimeout(done, delay)
        addEventListener("online", done)
      })
  }
}
