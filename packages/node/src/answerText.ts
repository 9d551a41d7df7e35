const maxLength = 4_096

/**
 * First 4 KiB of a response body as UTF-8, cut between characters. Replaces invalid UTF-8, and U+0000, which not every
 * database can store.
 */
export const answerText = (bytes: Uint8Array): string => {
  // The usual response to a webhook. Making a decoder costs more than reading a short text.
  if (bytes.length === 0) return ""
  // In `stream` mode the decoder withholds a character that the cut has split.
  const text = new TextDecoder().decode(bytes.subarray(0, maxLength), { stream: bytes.length > maxLength })
  const clean = text.replaceAll("\u0000", "\uFFFD")
  if (Buffer.byteLength(clean) <= maxLength) return clean
  // A replacement character takes more bytes than the invalid byte.
  const { read } = new TextEncoder().encodeInto(clean, new Uint8Array(maxLength))
  return clean.slice(0, read)
}
