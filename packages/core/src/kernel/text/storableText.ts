// U+0000 and lone surrogates: databases differ on them.
const unstorable = /\0|\p{Cs}/gu

/**
 * Makes vendor text storable: removes U+0000 and lone surrogates, and cuts after `max` code points. Customers' messages
 * are never refused because of such characters (docs/reference/storage.md#text-that-cannot-be-stored).
 */
export const storableText = (text: string, max: number): string => {
  // A code point has at most two UTF-16 units, so that the rest need not be scanned.
  const storable = text.slice(0, 2 * max).replace(unstorable, "")
  return storable.length <= max ? storable : Array.from(storable).slice(0, max).join("")
}
