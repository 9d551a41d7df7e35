/**
 * Parses a URL; null if the text is not a URL. Does not use `URL.canParse`: on Node 20 it refuses non-ASCII letters
 * such as `ü` once it was called often enough to be compiled.
 */
export const parseUrl = (text: string, base?: string | URL): URL | null => {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
