import type { Instant } from "@parley/core"
import { Data, Effect } from "effect"
import { type ParsedMail, simpleParser } from "mailparser"
import { bodyText } from "./bodyText.js"
import type { MailFile } from "./MailFile.js"

/** A mail that came in. */
export interface Mail {
  /** The first header of a lower-case name as it came, on one line; null: there is none. */
  readonly header: (name: string) => string | null
  /** `Message-ID`. */
  readonly id: string | null
  readonly from: { readonly address: string; readonly name: string | null } | null
  readonly subject: string | null
  /** When it was written, by its own word. */
  readonly date: Instant | null
  /** What it answers, oldest first: `References` and `In-Reply-To`. */
  readonly answers: ReadonlyArray<string>
  readonly text: string
  readonly files: ReadonlyArray<MailFile>
}

/** Not a mail, or one that is built to be expensive. */
export class MailUnreadable extends Data.TaggedError("MailUnreadable")<{ readonly reason: string }> {}

/** Bounds on what a mail may be made of; within them, reading takes memory and time by its length. */
const limits = { maxHeadSize: 256 * 1024, maxChildNodes: 500 }

const options = {
  ...limits,
  // Delivery reports and forwarded mails are files, not more of the text.
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  // Text is made of HTML in bodyText, where deep nesting is cheap.
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipImageLinks: true,
  keepCidLinks: true
}

/** Reads a mail (RFC 5322, MIME) from its bytes. */
export const readMail = (raw: Uint8Array): Effect.Effect<Mail, MailUnreadable> =>
  Effect.tryPromise({
    try: () => simpleParser(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), options),
    catch: () => new MailUnreadable({ reason: "it has longer headers, or more parts, than any mail needs" })
  }).pipe(
    Effect.filterOrFail(
      ({ headerLines = [] }) => headerLines.some(({ line }) => line.includes(":")),
      () => new MailUnreadable({ reason: "it has no headers" })
    ),
    // A mail that the parser makes something unforeseen of must not hold up those behind it.
    Effect.flatMap((parsed) =>
      Effect.try({
        try: () => mailOf(parsed, raw),
        catch: () => new MailUnreadable({ reason: "it is not built as mails are" })
      })
    )
  )

const mailOf = (parsed: ParsedMail, raw: Uint8Array): Mail => {
  const header = (name: string): string | null => {
    const line = parsed.headerLines.find(({ key }) => key === name)?.line
    return line === undefined ? null : unfolded(line.slice(line.indexOf(":") + 1))
  }
  const sender = parsed.from?.value[0] ?? null
  const { body, html } = bodyText(parsed.text ?? "", parsed.html || "", raw)
  const files = parsed.attachments.map(({ content, contentType, filename }) => ({
    contentType: typeOf(contentType),
    fileName: filename ?? null,
    bytes: content
  }))
  return {
    header,
    id: idsIn(header("message-id") ?? "")[0] ?? null,
    from: sender?.address ? { address: sender.address, name: sender.name || null } : null,
    subject: unfolded(parsed.subject ?? "") || null,
    date: parsed.date?.getTime() ?? null,
    answers: [...idsIn(header("references") ?? ""), ...idsIn(header("in-reply-to") ?? "")],
    text: body,
    files: html === null ? files : [...files, html]
  }
}

/** The parser's types are not those of what it answers for a header that is there and empty. */
const typeOf = (contentType: unknown): string =>
  typeof contentType === "string" ? contentType.toLowerCase() : "application/octet-stream"

const unfolded = (text: string): string => text.replace(/\s+/g, " ").trim()

const idsIn = (text: string): ReadonlyArray<string> => text.match(/<[^<>\s]+>/g) ?? []
