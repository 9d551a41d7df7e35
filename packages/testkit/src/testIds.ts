import { type Ids, Ids as IdsTag, type Instant } from "@parley/core"
import { Layer } from "effect"

/**
 * Ids that are the same in every run: version 7 UUIDs of the time given, counted up. `seed` keeps two makers apart.
 */
export const makeTestIds = (seed = 0): Ids => {
  let counter = 0
  let secrets = 0
  let latest: Instant = 0
  return {
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

/** {@link makeTestIds} as a layer. */
export const testIds: Layer.Layer<Ids> = Layer.sync(IdsTag, () => makeTestIds())
