import { randomInt } from "node:crypto"
import { Ids } from "@parley/core"
import { Layer } from "effect"
import { v7 } from "uuid"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const largestSequence = 0xffff_ffff

/**
 * UUIDv7 whose times never go back: where the clock stands still or does, the ids of one `Ids` go on from the last time, with a
 * 32-bit counter.
 */
export const make = (): Ids => {
  let time = 0
  let sequence = 0
  return {
    next: (now) => {
      if (now > time) {
        time = now
        // The upper half is room to count on.
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

/** {@link make} as a layer: one `Ids` for whoever it is provided to, so provide it once in a process. */
export const layer: Layer.Layer<Ids> = Layer.sync(Ids, make)
