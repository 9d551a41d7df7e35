import { hexAt } from "./hexAt.js"
import { inTurns } from "./inTurns.js"

const ampersand = 0x26
const equals = 0x3d
const percent = 0x25
const plus = 0x2b
const space = 0x20

/**
 * The bytes of the first of these fields that an urlencoded form has, decoded a part in each turn of the event loop.
 * Null if it has none of them, or more than `maxFields` fields.
 */
export const urlencodedField = async (
  body: Uint8Array,
  names: ReadonlyArray<string>,
  maxFields: number
): Promise<Uint8Array | null> => {
  const values = new Map<string, Uint8Array>()
  let start = 0
  for (let fields = 0; start <= body.length; fields++) {
    if (fields === maxFields) return null
    const next = body.indexOf(ampersand, start)
    const field = body.subarray(start, next === -1 ? body.length : next)
    const end = field.indexOf(equals)
    const name = end === -1 || end > maxName ? "" : Buffer.from(await decoded(field.subarray(0, end))).toString()
    if (names.includes(name) && !values.has(name)) values.set(name, field.subarray(end + 1))
    start += field.length + 1
  }
  const value = names.map((name) => values.get(name)).find((one) => one !== undefined)
  return value === undefined ? null : decoded(value)
}

/** Longer ones are of no field that is looked for. */
const maxName = 100

const decoded = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const found = new Uint8Array(bytes.length)
  let length = 0
  await inTurns(bytes.length, (from, to) => {
    let at = from
    for (; at < to; at++) {
      const byte = bytes[at] as number
      const value = byte === percent ? hexAt(bytes, at + 1) : null
      if (value !== null) at += 2
      found[length++] = value ?? (byte === plus ? space : byte)
    }
    return at
  })
  return found.subarray(0, length)
}
