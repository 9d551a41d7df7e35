import { folded } from "./folded.js"

/**
 * A short text as it is compared with words: {@link folded}, without punctuation, symbols and white space around it, each white
 * space within it one blank.
 */
export const plainText = (text: string): string =>
  folded(text)
    .replace(/^[\s\p{P}\p{S}\p{Cf}]+|[\s\p{P}\p{S}\p{Cf}]+$/gu, "")
    .replace(/\s+/g, " ")
