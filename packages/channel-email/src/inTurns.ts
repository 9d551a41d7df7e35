import { setImmediate } from "node:timers/promises"

/** Bytes that are decoded in one turn of the event loop. */
const bytesPerTurn = 262_144

/**
 * Decodes `length` bytes, a part in each turn of the event loop. `decode` decodes from an index at least up to another
 * one, and returns where it stopped.
 */
export const inTurns = async (length: number, decode: (from: number, to: number) => number): Promise<void> => {
  for (let at = 0; at < length; ) {
    if (at > 0) await setImmediate()
    at = decode(at, Math.min(length, at + bytesPerTurn))
  }
}
