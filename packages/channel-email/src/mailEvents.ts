import { createHash } from "node:crypto"
import { type InboundAttachment, InboundEvent, type InboundQuote, type Instant } from "@parley/core"
import { Effect } from "effect"
import { isReport, receiptIn } from "./deliveryReport.js"
import type { Business } from "./EmailAccount.js"
import { fingerprint } from "./fingerprint.js"
import { isAutomatic } from "./isAutomatic.js"
import type { MailFile } from "./MailFile.js"
import { inboundId, isMailId, ownMessageId } from "./mailId.js"
import { forwarded } from "./mailProgramPhrases.js"
import { type Mail, readMail } from "./readMail.js"
import { unknownMail } from "./unknownMail.js"
import { withoutQuote } from "./withoutQuote.js"
import { withoutSignature } from "./withoutSignature.js"
import { isOwn, isThroughList, writerOf } from "./writer.js"

interface Options {
  readonly isCut?: boolean | undefined
  readonly receivedAt?: Instant | undefined
}

/**
 * The events of a mail. A mail that is not a customer's, or that cannot be read, becomes an unknown event with its raw
 * text. `isCut`: the mail is too long, and `raw` is its beginning. It becomes a message with the text in it, and an
 * unknown event, because its files do not come in. `receivedAt`: when the server of the mailbox received it; the `Date`
 * header has the time of the sender's clock.
 */
export const mailEvents = (
  business: Business,
  raw: Uint8Array,
  now: Instant,
  { isCut = false, receivedAt }: Options = {}
): Effect.Effect<ReadonlyArray<InboundEvent>> =>
  Effect.match(readMail(raw), {
    onFailure: () => [unknownMail(isCut ? "too long" : "unreadable", raw)],
    onSuccess: (mail) => {
      const times = { now, receivedAt }
      if (!isCut) return eventsOf(business, mail, raw, times)
      // Its last file is not whole.
      const events = eventsOf(business, { ...mail, files: [beginningOf(raw)] }, raw, times)
      return [...events.filter(({ _tag }) => _tag !== "Unknown"), unknownMail("too long", raw)]
    }
  })

const beginningOf = (raw: Uint8Array): MailFile => ({
  contentType: "message/rfc822",
  fileName: "beginning.eml",
  bytes: raw
})

const eventsOf = (
  business: Business,
  mail: Mail,
  raw: Uint8Array,
  { now, receivedAt }: { readonly now: Instant; readonly receivedAt: Instant | undefined }
): ReadonlyArray<InboundEvent> => {
  const at = receivedAt === undefined ? {} : { at: receivedAt }
  const writer = writerOf(business, mail)
  const receipt = receiptIn(mail, business, now)
  if (receipt !== null || isReport(mail, writer)) return [receipt ?? unknownMail("report", raw)]
  if (writer === null) return [unknownMail("no sender", raw)]
  const from = writer.address
  const throughList = isThroughList(business, mail)
  const own = isOwn(business, from)
  // The business's own mail was returned: answering it would cause a loop. Of lists, it may be a person's.
  if (own && !(throughList && !isSentHere(business, mail))) return [unknownMail("own mail", raw)]
  const signedId = unsubscribeIdOf(mail)
  const findings = { from, automatic: own || isAutomatic(mail, throughList), senderProven: writer.isProven }
  const message = InboundEvent.Message({
    ...findings,
    ...at,
    providerMessageId:
      mail.id !== null && isMailId(mail.id) ? inboundId(mail.id, fingerprint(mail, findings)) : hashOf(raw),
    ...newTextOf(mail, [business.address, business.name]),
    subject: signedId === null ? mail.subject : "unsubscribe",
    mail: mail.addresses,
    quoted: quotedBy(mail),
    displayName: writer.name,
    attachments: mail.files.map(attachmentOf)
  })
  return signedId === null ? [message] : [message, InboundEvent.Unsubscribe({ signedId, ...at })]
}

/** The mail that it answers: the last id of its references. */
export const quotedBy = ({ answers }: Mail): InboundQuote | null => {
  const id = answers.at(-1)
  return id === undefined || !isMailId(id) ? null : { providerMessageId: id, isPrefix: true }
}

/** Whether it has the `Message-ID` of a message of ours. */
const isSentHere = ({ address }: Business, { id }: Mail): boolean => id !== null && ownMessageId(id, address) !== null

/**
 * The text without its signature and, in a reply, without quoted mails; and the whole text. A reply to any mail: some
 * SMTP servers replace our `Message-ID`. `names`: of the author of the quoted mail.
 */
export const newTextOf = (
  { answers, subject, text }: Mail,
  names: ReadonlyArray<string>
): { readonly body: string; readonly fullText: string | null } => {
  const isReply = answers.length > 0 && !forwarded.test(subject ?? "")
  const signed = withoutSignature(text)
  // A signature stands above the quote, below it, or in both places.
  const body = isReply ? withoutSignature(withoutQuote(signed, names)) : signed
  return { body, fullText: body === text ? null : text }
}

/**
 * The signed id in the mail that a client sends when the user presses its unsubscribe button (RFC 2369, 3.2). It opts
 * out the recipient of our mail, whatever the sender of this one: anyone can write a sender.
 */
const unsubscribeIdOf = ({ subject }: Mail): string | null =>
  /^unsubscribe\s+([0-9a-v]{42})$/i.exec(subject ?? "")?.[1] ?? null

/** The id of a mail without `Message-ID`. */
export const hashOf = (raw: Uint8Array): string => `sha256:${createHash("sha256").update(raw).digest("hex")}`

export const attachmentOf = ({ bytes, contentType, fileName }: MailFile): InboundAttachment => {
  const [kind] = contentType.split("/")
  const type = kind === "image" || kind === "video" || kind === "audio" ? kind : "document"
  return { type, contentType, fileName, content: bytes }
}
