// Databases differ on these.
const unstorable = /\0|\p{Cs}/gu

/**
 * Text of a vendor as it can be kept: without U+0000 and lone surrogates, and cut after `max` code points. What customers write
 * is never refused for them.
 */
export const storableText = (text: string, max: number): string => {
  // A code point takes at most two code units: what lies beyond is not looked at.
  const storable = text.slice(0, 2 * max).replace(unstorable, "")
  return storable.length <= max ? storable : Array.from(storable).slice(0, max).join("")
}
