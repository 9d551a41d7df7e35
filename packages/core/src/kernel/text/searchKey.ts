/**
 * Search key for ordering and searching names and comparing tags: NFKD, without marks (accents), lower case. Computed
 * here and stored, so that all databases agree (docs/reference/contacts.md#search-key).
 *
 * The key of a substring is a substring of the key. Greek final sigma is therefore mapped to sigma: its lower case
 * depends on the next letter.
 */
export const searchKey = (text: string): string =>
  // ASCII has no marks and is normalised.
  ascii.test(text)
    ? text.toLowerCase()
    : text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ")

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ascii = /^[\x00-\x7f]*$/
