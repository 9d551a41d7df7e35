const longest = 30_000

/** A pause before another try, longer each time and never the same for all pages; it ends early when the network is back. */
export const makeBackoff = () => {
  let tries = 0
  return {
    reset: (): void => {
      tries = 0
    },
    pause: (atLeast = 0): Promise<void> =>
      new Promise((resolve) => {
        const delay = Math.max(atLeast, Math.min(longest, 500 * 2 ** tries++) * (0.5 + Math.random() / 2))
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
