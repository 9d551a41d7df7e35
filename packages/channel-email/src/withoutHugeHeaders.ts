/** Maximum length of a header, in bytes, in a mail whose headers are too long together. */
const maxHeader = 64 * 1024

/** Headers that say who sent a mail: without one of them, another one of that name would count. */
const kept = /^(from|authentication-results)[ \t]*:/i

/**
 * A mail without its headers of more than 64 KiB, if all its headers are longer than `max` bytes: one header that no
 * mail needs does not lose the mail.
 */
export const withoutHugeHeaders = (raw: Uint8Array, max: number): Uint8Array => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const ends = [bytes.indexOf("\r\n\r\n"), bytes.indexOf("\n\n")].filter((end) => end !== -1)
  const end = ends.length === 0 ? bytes.length : Math.min(...ends)
  if (end <= max) return raw
  const parts: Array<Uint8Array> = []
  for (let start = 0; start < end; ) {
    const next = endOfHeader(bytes, start, end)
    const isKept = next - start <= maxHeader || kept.test(bytes.toString("latin1", start, start + 100))
    if (isKept) parts.push(bytes.subarray(start, next))
    start = next
  }
  return Buffer.concat([...parts, bytes.subarray(end)])
}

/** The start of the next header: the next line that is not folded. */
const endOfHeader = (bytes: Buffer, start: number, end: number): number => {
  for (let at = start; ; ) {
    const line = bytes.indexOf(0x0a, at)
    if (line === -1 || line >= end) return end
    at = line + 1
    const first = bytes[at]
    if (first !== 0x20 && first !== 0x09) return at
  }
}
