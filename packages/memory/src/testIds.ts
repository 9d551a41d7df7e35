import type { Ids, Instant } from "@parley/core"

/**
 * Reproducible ids: version 7 UUIDs of the given time with a counter. Different `seed`s give different ids. Rules that
 * write audit rows take their actor too.
 */
export const makeTestIds = (seed = 0): Ids & { readonly actor: string } => {
  let counter = 0
  let secrets = 0
  let latest: Instant = 0
  return {
    actor: "admin",
    next: (now) => {
      latest = Math.max(latest, now)
      const time = latest.toString(16).padStart(12, "0")
      const count = (counter++).toString(16).padStart(15, "0")
      const tail = `${count.slice(3)}`.padStart(12, "0")
      const origin = seed.toString(16).padStart(3, "0")
      return `${time.slice(0, 8)}-${time.slice(8)}-7${count.slice(0, 3)}-8${origin}-${tail}`
    },
    secret: (length) => `${seed}s${secrets++}x`.padEnd(length, "0").slice(0, length)
  }
}
