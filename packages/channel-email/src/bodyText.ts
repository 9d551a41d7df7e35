import { compile } from "html-to-text"
import type { MailFile } from "./MailFile.js"

/** The text of a mail. `html`: where not all of its HTML was read, all of it as a file. */
interface Body {
  readonly body: string
  readonly html: MailFile | null
}

/** How much HTML is read: parsing it takes time by the square of how deep it is nested. */
const mostCharacters = 1_000_000
const mostTags = 10_000

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
 * What a mail says: its plain text, else its HTML as text. Both, where neither is an alternative of the other: some programs
 * write one part of a mail so and one so.
 */
export const bodyText = (text: string, html: string, raw: Uint8Array): Body => {
  const plain = text.trim()
  const alternatives = plain !== "" && Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).includes("/alternative")
  if (html === "" || alternatives) return { body: plain, html: null }
  const read = beginning(html)
  const body = [plain, convert(read).trim()].filter((part) => part !== "").join("\n\n")
  const whole = { contentType: "text/html", fileName: "message.html", bytes: Buffer.from(html) }
  return { body, html: read === html ? null : whole }
}

const beginning = (html: string): string => {
  const text = html.slice(0, mostCharacters)
  let tags = 0
  for (const { index } of text.matchAll(/</g)) if (++tags > mostTags) return text.slice(0, index)
  return text
}
