import { hexAt } from "./hexAt.js"
import { inTurns } from "./inTurns.js"

const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const equals = 0x3d

/**
 * Decodes quoted-printable bytes (RFC 2045, 6.7), a part in each turn of the event loop. What is not encoded right
 * stays.
 */
export const decodeQuotedPrintable = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const decoded = new Uint8Array(bytes.length)
  let length = 0
  /** Length without the spaces at the end of the line, which were added on the way. */
  let solid = 0
  await inTurns(bytes.length, (from, to) => {
    let at = from
    for (; at < to; at++) {
      const byte = bytes[at] as number
      if (byte === equals) {
        const soft = softBreak(bytes, at)
        if (soft > 0) {
          at += soft - 1
          continue
        }
        const value = hexAt(bytes, at + 1)
        if (value !== null) at += 2
        decoded[length++] = value ?? byte
        solid = length
      } else {
        if (byte === lineFeed || byte === carriageReturn) length = solid
        decoded[length++] = byte
        if (byte !== space && byte !== tab) solid = length
      }
    }
    return at
  })
  return decoded.subarray(0, solid)
}

/** Length of the soft line break that begins at an equals sign, with the spaces after the sign; 0 without one. */
const softBreak = (bytes: Uint8Array, start: number): number => {
  let at = start + 1
  while (bytes[at] === space || bytes[at] === tab) at++
  if (at === bytes.length) return at - start
  if (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed) return at + 2 - start
  return bytes[at] === lineFeed ? at + 1 - start : 0
}
