/** What mail programs do not show, from its beginning to its end. */
const ends: { readonly [begin: string]: string } = {
  "<!--": "-->",
  "<head": "</head",
  "<script": "</script",
  "<style": "</style",
  "<title": "</title"
}

const begins = /<!--|<(?:head|script|style|title)\b/g

/**
 * All that can be the text of HTML, with some of its markup where the HTML is damaged: a comment, a style sheet, a
 * quote or a tag that nothing ends takes all that follows it out of the text of a parser. Takes linear time.
 */
export const looseText = (html: string): string => {
  // Both have the same length, unlike lower case of some characters.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const kept: Array<string> = []
  const endless = new Set<string>()
  let at = 0
  for (const { 0: begin, index } of lower.matchAll(begins)) {
    if (index < at || endless.has(begin)) continue
    const end = lower.indexOf(ends[begin] ?? "", index)
    if (end === -1) endless.add(begin)
    else {
      kept.push(html.slice(at, index))
      at = end
    }
  }
  kept.push(html.slice(at))
  return (
    kept
      .join(" ")
      // A quoted value may have a `>`; an apostrophe may be outside of a quote.
      .replace(/<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/g, " ")
      .replace(/<[^<>]*>/g, " ")
      .replace(/&#?\w{1,32};?/g, " ")
  )
}

const characters = /[\p{L}\p{N}]/gu

/** Whether the letters and digits of `part` are in `text`, in their order. */
export const hasCharactersOf = (text: string, part: string): boolean => {
  let at = 0
  for (const [character] of part.matchAll(characters)) {
    at = text.indexOf(character, at) + character.length
    if (at < character.length) return false
  }
  return true
}
