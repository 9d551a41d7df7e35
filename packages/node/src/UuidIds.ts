import { randomInt } from "node:crypto"
import { Ids } from "@parley/core"
import { Layer } from "effect"
import { v7 } from "uuid"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const largestSequence = 0xffff_ffff

/**
 * UUIDv7 generator with monotonic times: if the clock stands still or goes back, one `Ids` continues from its last time
 * with a 32-bit counter.
 */
export const make = (): Ids => {
  let time = 0
  let sequence = 0
  return {
    next: (now) => {
      if (now > time) {
        time = now
        // Starts in the lower half of the range, so that the upper half is left for increments.
        sequence = randomInt(2 ** 31)
      } else if (sequence < largestSequence) {
        sequence += 1
      } else {
        time += 1
        sequence = 0
      }
      return v7({ msecs: time, seq: sequence })
    },
    secret: (length) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("")
  }
}

/** {@link make} as a layer. Provide it once per process: only ids of one instance are monotonic. */
export const layer: Layer.Layer<Ids> = Layer.sync(Ids, make)
