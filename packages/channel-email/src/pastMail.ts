import { InboundEvent, type PastMessage } from "@parley/core"
import { Effect } from "effect"
import type { MailAddress } from "./addresses.js"
import type { Business } from "./EmailAccount.js"
import type { MailJob, PastMail } from "./MailJob.js"
import { attachmentOf, hashOf, mailEvents, quotedBy } from "./mailEvents.js"
import { isMailId } from "./mailId.js"
import { forwarded } from "./mailProgramPhrases.js"
import { type Mail, readMail } from "./readMail.js"
import { withoutQuote } from "./withoutQuote.js"
import { withoutSignature } from "./withoutSignature.js"
import { isOwn } from "./writer.js"

/** The events of a mail. Of one of the past: `History`, or none if it is neither a customer's nor to one. */
export const parsedMail = ({ business, now, past, raw }: MailJob): Effect.Effect<ReadonlyArray<InboundEvent>> => {
  if (past === undefined) return mailEvents(business, raw, now)
  return past.direction === "inbound"
    ? Effect.map(mailEvents(business, raw, now), (events) => events.flatMap((event) => received(event, past)))
    : Effect.match(readMail(raw), { onFailure: () => [], onSuccess: (mail) => sent(business, mail, raw, past) })
}

/** The id is that of a mail that is polled, so that none is stored twice. */
const received = (event: InboundEvent, { at, direction }: PastMail): ReadonlyArray<InboundEvent> => {
  if (event._tag !== "Message") return []
  const { attachments, body, displayName, from, fullText = null, providerMessageId, subject } = event
  const { mail = null, quoted = null } = event
  const message = { providerMessageId, direction, at, body, fullText, subject, mail, quoted, attachments }
  return [InboundEvent.History({ handle: from, displayName, messages: [message] })]
}

/**
 * A mail that the business sent. The id is that of our sends, so that those which the server put into its folder are
 * recognised. A mail to several customers belongs to the first.
 */
const sent = (business: Business, mail: Mail, raw: Uint8Array, { at, direction }: PastMail) => {
  const { addresses, from, id, recipients, subject } = mail
  const customer = recipients.find(({ address }) => !isOwn(business, address))
  if (from === null || !isOwn(business, from.address) || customer === undefined) return []
  const message = {
    providerMessageId: id !== null && isMailId(id) ? id : hashOf(raw),
    ...{ direction, at, ...textOf(mail, customer), subject, mail: addresses, quoted: quotedBy(mail) },
    attachments: mail.files.map(attachmentOf)
  }
  return [InboundEvent.History({ handle: customer.address, displayName: customer.name, messages: [message] })]
}

/** The text without its signature and, in an answer, without the mails of the customer that it quotes. */
const textOf = (
  { answers, subject, text }: Mail,
  { address, name }: MailAddress
): Pick<PastMessage, "body" | "fullText"> => {
  const isReply = answers.length > 0 && !forwarded.test(subject ?? "")
  const signed = withoutSignature(text)
  const body = isReply ? withoutSignature(withoutQuote(signed, name === null ? [address] : [address, name])) : signed
  return { body, fullText: body === text ? null : text }
}
