/** Size of a JSON text. */
export interface JsonSize {
  /** Number of values: objects, lists, and everything in them except keys. */
  readonly values: number
  /** Number of keys of all objects. */
  readonly keys: number
  /**
   * Offsets of the objects and lists directly below the given levels. The end of one that is not closed is that of the
   * text.
   */
  readonly deeper: ReadonlyArray<{ readonly start: number; readonly end: number }>
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d
/** The bytes of white space do not exceed it, and all others of JSON do. */
const space = 0x20

/**
 * Counts values and keys of a JSON text in UTF-8, in one pass that makes no objects: a limit can be checked
 * before the text is parsed. Values and keys below the first `levels` levels are not counted. The counts of
 * other bytes mean nothing; they are never refused.
 */
export const jsonSize = (bytes: Uint8Array, levels: number): JsonSize => {
  let values = 1
  let keys = 0
  let level = 0
  const deeper: Array<{ readonly start: number; readonly end: number }> = []
  let start = 0
  /** Only white space since an object or a list began. */
  let isEmpty = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte <= space) continue
    const isClose = byte === closeObject || byte === closeList
    if (isEmpty && !isClose && level <= levels) values++
    isEmpty = byte === openObject || byte === openList
    if (isEmpty) {
      level++
      if (level === levels + 1) start = at
    } else if (isClose) {
      if (level === levels + 1) deeper.push({ start, end: at + 1 })
      level--
    } else if (byte === quote) at = endOfText(bytes, at)
    else if (level > levels) continue
    else if (byte === comma) values++
    else if (byte === colon) keys++
  }
  if (level > levels) deeper.push({ start, end: bytes.length })
  return { values, keys, deeper }
}

/** Index of the quote that ends the text that begins at `start`. */
const endOfText = (bytes: Uint8Array, start: number): number => {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}
