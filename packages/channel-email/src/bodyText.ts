import { compile } from "html-to-text"
import type { MailFile } from "./MailFile.js"

/** The text of a mail. `html`: the whole HTML as a file, if it is longer than the part that was converted. */
interface Body {
  readonly body: string
  readonly html: MailFile | null
}

/** The maximum length of converted HTML, in UTF-16 units: parsing time grows with the square of the nesting depth. */
const maxCharacters = 1_000_000
const maxTags = 10_000

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 200, ellipsis: "…" },
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets: ["(", ")"] } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } }))
  ]
})

/**
 * The text of a mail: its plain text, then its HTML converted to text. `html` has none that is an alternative of the
 * text: some programs write some parts of a mail as text and others as HTML.
 */
export const bodyText = (text: string, html: string): Body => {
  const plain = text.trim()
  if (html === "") return { body: plain, html: null }
  const read = beginning(html)
  const body = [plain, convert(read).trim()].filter((part) => part !== "").join("\n\n")
  const whole = { contentType: "text/html", fileName: "message.html", bytes: Buffer.from(html) }
  return { body, html: read === html ? null : whole }
}

const beginning = (html: string): string => {
  const text = html.slice(0, maxCharacters)
  let tags = 0
  for (const { index } of text.matchAll(/</g)) if (++tags > maxTags) return text.slice(0, index)
  return text
}
