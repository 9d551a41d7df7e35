import { searchKey } from "./searchKey.js"

/**
 * Normalises a short text for comparison with keywords: {@link searchKey}, then trimmed of punctuation, symbols and
 * white space, with each inner run of white space as one blank.
 */
export const keywordText = (text: string): string =>
  searchKey(text)
    .replace(/^[\s\p{P}\p{S}\p{Cf}]+|[\s\p{P}\p{S}\p{Cf}]+$/gu, "")
    .replace(/\s+/g, " ")
