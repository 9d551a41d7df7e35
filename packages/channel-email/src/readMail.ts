import { type Instant, type MailAddresses, normaliseHandle } from "@parley/core"
import { Data, Effect, Either } from "effect"
import { type ParsedMail, simpleParser } from "mailparser"
import { decodeHeader, type MailAddress, readAddresses, spellAddress } from "./addresses.js"
import { bodyText } from "./bodyText.js"
import { boundedText, stillEncoded } from "./boundedText.js"
import { type HtmlParts, htmlParts, isBlankText, noAlternatives } from "./htmlParts.js"
import type { MailFile } from "./MailFile.js"
import { decodeQuotedPrintable } from "./quotedPrintable.js"
import { type TextCharsets, textCharsets } from "./textCharsets.js"
import { isTnef, readTnef } from "./tnef.js"
import { withoutHugeHeaders } from "./withoutHugeHeaders.js"

/** An inbound mail. */
export interface Mail {
  /** The first header with this lower-case name, unfolded; null if absent. */
  readonly header: (name: string) => string | null
  /** All headers with this lower-case name, unfolded, the topmost first. */
  readonly headers: (name: string) => ReadonlyArray<string>
  /** `Message-ID`. */
  readonly id: string | null
  /**
   * The writer: the first usable address of `From`, else of `Sender` or `Return-Path`, so that an odd `From` does not
   * lose the mail.
   */
  readonly from: MailAddress | null
  /** The first usable address of `X-Original-From`. Null if there are several of the header: a sender can add one. */
  readonly originalFrom: MailAddress | null
  /** The first usable address of `Reply-To`. */
  readonly replyTo: MailAddress | null
  /** The first addresses of `List-Post`, `To` and `Cc`. */
  readonly recipients: ReadonlyArray<MailAddress>
  /** The addresses of its header, as `Ada <ada@example.com>`. */
  readonly addresses: MailAddresses
  /** The number of addresses in `From`; 0 if none is usable. */
  readonly senders: number
  readonly subject: string | null
  /** The time in the `Date` header. */
  readonly date: Instant | null
  /** The ids of the mails to which it replies, oldest first: `References` and `In-Reply-To`. */
  readonly answers: ReadonlyArray<string>
  readonly text: string
  readonly files: ReadonlyArray<MailFile>
}

/** The bytes are not a mail, or exceed the limits of the parser. */
export class MailUnreadable extends Data.TaggedError("MailUnreadable")<{ readonly reason: string }> {}

/** Limits for the parser. Within them, memory and time are proportional to the length. */
const limits = { maxHeadSize: 256 * 1024, maxChildNodes: 500 }

const options = {
  ...limits,
  // Delivery reports and forwarded mails become files, not text.
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  // bodyText converts HTML, where deep nesting is cheap.
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipImageLinks: true,
  keepCidLinks: true
}

/** Parses a mail (RFC 5322, MIME). */
export const readMail = (raw: Uint8Array): Effect.Effect<Mail, MailUnreadable> =>
  Effect.tryPromise({
    try: async (signal) => {
      let lines: Lines = []
      const onHeaders = (given: Lines) => {
        lines = given
      }
      let hasMore = false
      const onLeftOut = () => {
        hasMore = true
      }
      const headed = withoutHugeHeaders(fromFirstHeader(raw), limits.maxHeadSize)
      const parse = (html: HtmlParts, charsets: TextCharsets) =>
        simpleParser(boundedText(headed, limits, signal, { onHeaders, onLeftOut }, html, charsets), options)
      const read = async (html: () => HtmlParts) => {
        const charsets = textCharsets()
        const parts = html()
        const parsed = await parse(parts, charsets)
        const corrections = charsets.corrections()
        return { parts, parsed: corrections === null ? parsed : await parse(html(), corrections) }
      }
      const { parsed: first, parts: html } = await read(htmlParts)
      const isBlank = isBlankText(first.text ?? "")
      // The text that the HTML was left out for has nothing to read.
      const { parsed } = isBlank && html.hasAlternative() ? await read(() => noAlternatives) : { parsed: first }
      const { text = "" } = parsed
      const isRead = !isBlank && html.areAlternatives()
      const texts = { text, html: isRead ? "" : parsed.html || "" }
      const files = await filesOf(parsed)
      const isEmpty = isBlankText(text) && texts.html === "" && files.length === 0
      const whole = { contentType: "message/rfc822", fileName: "mail.eml", bytes: raw }
      return { lines, parsed, texts, files: isEmpty && hasMore ? [whole] : files }
    },
    catch: () => new MailUnreadable({ reason: "it has longer headers, or more parts, than any mail needs" })
  }).pipe(
    Effect.filterOrFail(
      ({ lines }) => lines.some(({ line }) => line.includes(":")),
      () => new MailUnreadable({ reason: "it has no headers" })
    ),
    // An unexpected result of the parser must not block the following mails.
    Effect.flatMap(({ files, lines, parsed, texts }) =>
      Effect.try({
        try: () => mailOf(lines, parsed, texts, files),
        catch: () => new MailUnreadable({ reason: "it is not built as mails are" })
      })
    )
  )

/** Without what some services put before a mail: a byte order mark, empty lines. */
const fromFirstHeader = (raw: Uint8Array): Uint8Array => {
  const begin = byteOrderMark.every((byte, at) => raw[at] === byte) ? byteOrderMark.length : 0
  const first = raw.subarray(begin).findIndex((byte) => byte !== 10 && byte !== 13)
  return first === -1 ? raw : raw.subarray(begin + first)
}

const byteOrderMark = [0xef, 0xbb, 0xbf]

const filesOf = async ({ attachments }: ParsedMail): Promise<ReadonlyArray<MailFile>> => {
  const files: Array<MailFile> = []
  for (const { content, contentType, filename, headers } of attachments) {
    const bytes = headers.has(stillEncoded) ? await decodeQuotedPrintable(content) : content
    files.push({ contentType: typeOf(contentType), fileName: filename ?? null, bytes })
  }
  return files
}

/** Headers as in the mail, with their lower-case names. */
type Lines = ReadonlyArray<{ readonly key: string; readonly line: string }>

/** The text of a mail, and its HTML that is no alternative of it. */
interface Texts {
  readonly text: string
  readonly html: string
}

const mailOf = (lines: Lines, parsed: ParsedMail, texts: Texts, attached: ReadonlyArray<MailFile>): Mail => {
  const headers = (name: string): ReadonlyArray<string> =>
    lines.filter(({ key }) => key === name).map(({ line }) => unfolded(line.slice(line.indexOf(":") + 1)))
  const header = (name: string): string | null => headers(name)[0] ?? null
  const addressesIn = (name: string): ReadonlyArray<MailAddress> =>
    headers(name).flatMap((text) => readAddresses(utf8(text)))
  const [authors = [], to = [], cc = [], replyTo = []] = ["from", "to", "cc", "reply-to"].map(addressesIn)
  const author = usable(authors)
  const { files, ...inside } = unpacked(attached)
  const hasText = texts.text.trim() !== "" || texts.html !== ""
  const { body, html } = hasText
    ? bodyText(texts.text, texts.html)
    : bodyText(inside.text, inside.text === "" ? inside.html : "")
  return {
    header,
    headers,
    id: idsIn(header("message-id") ?? "")[0] ?? null,
    from: author ?? usable(addressesIn("sender")) ?? usable(addressesIn("return-path")),
    originalFrom: headers("x-original-from").length === 1 ? usable(addressesIn("x-original-from")) : null,
    replyTo: usable(replyTo),
    recipients: [...addressesIn("list-post"), ...to, ...cc].slice(0, maxNormalised),
    addresses: {
      from: authors.map(spellAddress)[0] ?? null,
      to: to.map(spellAddress),
      cc: cc.map(spellAddress),
      replyTo: replyTo.map(spellAddress)
    },
    senders: author === null ? 0 : authors.length,
    subject:
      unfolded(isLatin1(parsed.subject) ? decodeHeader(utf8(header("subject") ?? "")) : (parsed.subject ?? "")) || null,
    date: parsed.date?.getTime() ?? null,
    answers: [...idsIn(header("references") ?? ""), ...idsIn(header("in-reply-to") ?? "")],
    text: body,
    files: html === null ? files : [...files, html]
  }
}

/** The files, with those of each `winmail.dat` in its place, and the first text in one. */
const unpacked = (files: ReadonlyArray<MailFile>) => {
  const all = files.map((file) => ({ file, tnef: isTnef(file) ? readTnef(file.bytes) : null }))
  const found = all.flatMap(({ tnef }) => (tnef === null ? [] : [tnef]))
  return {
    files: all.flatMap(({ file, tnef }) =>
      tnef === null ? [file] : [...tnef.files, ...(tnef.hasItems || tnef.isRichText ? [file] : [])]
    ),
    text: found.find(({ text }) => text !== null)?.text ?? "",
    html: found.find(({ html }) => html !== null)?.html ?? ""
  }
}

/** Maximum number of addresses of a header that are normalised: that takes longer than all else. */
const maxNormalised = 100

/** The first address that a message can be from. */
const usable = (addresses: ReadonlyArray<MailAddress>): MailAddress | null =>
  addresses.slice(0, maxNormalised).find(({ address }) => Either.isRight(normaliseHandle("email", address))) ?? null

/** A header, of which the parser gives the bytes, in UTF-8 (RFC 6532) or else in Latin-1. */
export const utf8 = (text: string): string => {
  const decoded = Buffer.from(text, "latin1").toString("utf8")
  return decoded.includes("\ufffd") ? text : decoded
}

/** Whether the parser read a header in Latin-1 as UTF-8. */
const isLatin1 = (subject: string | undefined): boolean => subject?.includes("\ufffd") === true

/** For an empty header, the parser returns a value that its types do not declare. */
const typeOf = (contentType: unknown): string =>
  typeof contentType === "string" ? contentType.toLowerCase() : "application/octet-stream"

const unfolded = (text: string): string => text.replace(/\s+/g, " ").trim()

const idsIn = (text: string): ReadonlyArray<string> => text.match(/<[^<>\s]+>/g) ?? []
