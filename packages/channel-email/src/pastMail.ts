import { InboundEvent } from "@parley/core"
import { Effect } from "effect"
import type { Business } from "./EmailAccount.js"
import type { MailJob, PastMail } from "./MailJob.js"
import { attachmentOf, hashOf, mailEvents, newTextOf, quotedBy } from "./mailEvents.js"
import { isMailId } from "./mailId.js"
import { type Mail, readMail } from "./readMail.js"
import { isOwn } from "./writer.js"

/** The events of a mail. Of one of the past: `History`, or none if it is neither a customer's nor to one. */
export const parsedMail = ({
  business,
  isCut,
  now,
  past,
  raw,
  receivedAt
}: MailJob): Effect.Effect<ReadonlyArray<InboundEvent>> => {
  if (past === undefined) return mailEvents(business, raw, now, { isCut, receivedAt })
  return past.direction === "inbound"
    ? Effect.map(mailEvents(business, raw, now), (events) => events.flatMap((event) => received(event, past)))
    : Effect.match(readMail(raw), { onFailure: () => [], onSuccess: (mail) => sent(business, mail, raw, past) })
}

/** The id is that of a mail that is polled, so that none is stored twice. */
const received = (event: InboundEvent, { at, direction }: PastMail): ReadonlyArray<InboundEvent> => {
  if (event._tag !== "Message") return []
  const { attachments, automatic, body, displayName, from, fullText = null, providerMessageId, subject } = event
  const { mail = null, quoted = null } = event
  const message = { providerMessageId, direction, at, body, fullText, subject, mail, quoted, automatic, attachments }
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
  const names = customer.name === null ? [customer.address] : [customer.address, customer.name]
  const message = {
    providerMessageId: id !== null && isMailId(id) ? id : hashOf(raw),
    ...{ direction, at, ...newTextOf(mail, names), subject, mail: addresses, quoted: quotedBy(mail) },
    attachments: mail.files.map(attachmentOf)
  }
  return [InboundEvent.History({ handle: customer.address, displayName: customer.name, messages: [message] })]
}
