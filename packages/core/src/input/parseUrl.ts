/**
 * The URL that a text is, or null. Not by `URL.canParse`: on Node 20 that comes to refuse what has letters such as `ü`, once it
 * was called often enough to be compiled.
 */
export const parseUrl = (text: string, base?: string | URL): URL | null => {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
