/** The value of the two hexadecimal digits at an index; null where other characters stand. */
export const hexAt = (bytes: Uint8Array, at: number): number | null => {
  const [high, low] = [digit(bytes[at]), digit(bytes[at + 1])]
  return high === null || low === null ? null : high * 16 + low
}

const digit = (byte: number | undefined): number | null => {
  if (byte === undefined) return null
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : null
}
