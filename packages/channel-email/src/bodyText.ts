import { compile, type HtmlToTextOptions } from "html-to-text"
import { isBlankText } from "./htmlParts.js"
import { hasCharactersOf, looseText } from "./looseText.js"
import type { MailFile } from "./MailFile.js"

/** The text of a mail. `html`: the whole HTML as a file, if the text may lack some of it. */
interface Body {
  readonly body: string
  readonly html: MailFile | null
}

/** The maximum length of converted HTML, in UTF-16 units: parsing time grows with the square of the nesting depth. */
const maxCharacters = 1_000_000
const maxTags = 10_000

const converter = (options: HtmlToTextOptions, skipped: ReadonlyArray<string>) =>
  compile({
    ...options,
    wordwrap: false,
    limits: { maxDepth: 200, ellipsis: "…" },
    selectors: [
      ...skipped.map((selector) => ({ selector, format: "skip" })),
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets: ["(", ")"] } },
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } }))
    ]
  })

/** Converts what is in `body`, or all if there is no `body`. */
const convert = converter({}, ["img"])

/** Converts what is outside of `body` too. */
const convertAll = converter({ baseElements: { selectors: ["html > none"], returnDomByDefault: true } }, [
  "img",
  "title"
])

/**
 * The text of a mail: its plain text, then its HTML converted to text. `html` has none that is an alternative of the
 * text: some programs write some parts of a mail as text and others as HTML.
 */
export const bodyText = (text: string, html: string): Body => {
  const plain = isBlankText(text) ? "" : text.trim()
  if (html === "") return { body: plain, html: null }
  const read = beginning(html)
  const converted = textOf(read)
  const body = [plain, converted.text].filter((part) => part !== "").join("\n\n")
  const whole = { contentType: "text/html", fileName: "message.html", bytes: Buffer.from(html) }
  // Without text, pictures of other servers are all that the mail has.
  const isPicture = body === "" && /<img/i.test(html)
  return { body, html: read === html && converted.isComplete && !isPicture ? null : whole }
}

/** The text of HTML, and whether it has all that can be taken for text. */
const textOf = (html: string): { readonly text: string; readonly isComplete: boolean } => {
  const loose = looseText(html)
  const text = convert(html).trim()
  if (hasCharactersOf(text, loose)) return { text, isComplete: true }
  const all = convertAll(html).trim()
  return { text: all, isComplete: hasCharactersOf(all, loose) }
}

const beginning = (html: string): string => {
  const text = html.slice(0, maxCharacters)
  let tags = 0
  for (const { index } of text.matchAll(/</g)) if (++tags > maxTags) return text.slice(0, index)
  return text
}
