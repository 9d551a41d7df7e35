const longest = 4_096

/**
 * The beginning of an answer as text: at most 4 KiB of UTF-8, cut between characters. What is no UTF-8 is replaced, and
 * so is U+0000, which not every database can store.
 */
export const answerText = (bytes: Uint8Array): string => {
  // In `stream` mode the decoder keeps back a character that the cut has split.
  const text = new TextDecoder().decode(bytes.subarray(0, longest), { stream: bytes.length > longest })
  const clean = text.replaceAll("\u0000", "\uFFFD")
  if (Buffer.byteLength(clean) <= longest) return clean
  // A replacement takes up more bytes than what it stands for.
  const { read } = new TextEncoder().encodeInto(clean, new Uint8Array(longest))
  return clean.slice(0, read)
}
