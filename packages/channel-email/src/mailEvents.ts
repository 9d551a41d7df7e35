import { createHash } from "node:crypto"
import { type InboundAttachment, InboundEvent, type Instant } from "@parley/core"
import { Effect } from "effect"
import { isReport, receiptIn } from "./deliveryReport.js"
import type { Business } from "./EmailAccount.js"
import { isAutomatic } from "./isAutomatic.js"
import type { MailFile } from "./MailFile.js"
import { isMailId, ownMessageId } from "./mailId.js"
import { type Mail, readMail } from "./readMail.js"
import { withoutQuote } from "./withoutQuote.js"

/** What a mail tells. One that is not a customer's, or that cannot be read, is kept as it came. */
export const mailEvents = (
  business: Business,
  raw: Uint8Array,
  now: Instant
): Effect.Effect<ReadonlyArray<InboundEvent>> =>
  Effect.match(readMail(raw), {
    onFailure: () => [unknown("unreadable", raw)],
    onSuccess: (mail) => eventsOf(business, mail, raw, now)
  })

const eventsOf = (business: Business, mail: Mail, raw: Uint8Array, now: Instant): ReadonlyArray<InboundEvent> => {
  if (isReport(mail)) return [receiptIn(mail, business.address, now) ?? unknown("report", raw)]
  if (mail.from === null) return [unknown("no sender", raw)]
  const from = mail.from.address
  // Our own, which came back: an answer to it would be one to ourselves.
  if (isOwn(business, from)) return [unknown("own mail", raw)]
  const message = InboundEvent.Message({
    providerMessageId: mail.id !== null && isMailId(mail.id) ? mail.id : hashOf(raw),
    from,
    body: ownWords(business, mail),
    subject: mail.subject,
    displayName: mail.from.name,
    attachments: mail.files.map(attachmentOf),
    automatic: isAutomatic(mail)
  })
  return asksForNoMore(business, mail)
    ? [message, InboundEvent.OptOut({ handle: from, scope: "all", optedOut: true })]
    : [message]
}

const isOwn = ({ address, config }: Business, from: string): boolean =>
  [address, config.reply_to].some((own) => own?.toLowerCase() === from.trim().toLowerCase())

/** Without our own mail under it, where it answers one. */
const ownWords = ({ address, name }: Business, { answers, text }: Mail): string =>
  answers.some((id) => ownMessageId(id, address) !== null) ? withoutQuote(text, [address, name]) : text

/** The mail that a program writes when somebody presses its button to unsubscribe (RFC 2369, 3.2). */
const asksForNoMore = ({ config }: Business, { subject }: Mail): boolean =>
  config.unsubscribe !== undefined && subject?.toLowerCase() === "unsubscribe"

/** What a mail is known by that has no `Message-ID`. */
const hashOf = (raw: Uint8Array): string => `sha256:${createHash("sha256").update(raw).digest("hex")}`

const attachmentOf = ({ bytes, contentType, fileName }: MailFile): InboundAttachment => {
  const [kind] = contentType.split("/")
  const type = kind === "image" || kind === "video" || kind === "audio" ? kind : "document"
  return { type, contentType, fileName, content: bytes }
}

/** As it came, as far as such things are kept. */
export const unknown = (kind: string, raw: Uint8Array): InboundEvent =>
  InboundEvent.Unknown({ kind, raw: new TextDecoder().decode(raw.subarray(0, 64 * 1024)) })
