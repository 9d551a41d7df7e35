import { storableText } from "../../kernel/text/storableText.js"

/** Maximum stored size of a vendor's content, in bytes of UTF-8: 64 KiB. */
export const maxRawBytes = 65_536

/**
 * A vendor's content, truncated to {@link maxRawBytes} at a character boundary, without characters that databases
 * refuse.
 */
export const storableRaw = (raw: string): string => {
  const text = storableText(raw, maxRawBytes)
  // No character has more bytes.
  if (text.length * 3 <= maxRawBytes) return text
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxRawBytes)).read)
}
