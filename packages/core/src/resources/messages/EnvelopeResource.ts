import { Schema } from "effect"
import { component, field, ids, wire } from "../../kernel/input/wire.js"
import type { Envelope, Quoted, Referral } from "../../model/Message.js"

const nullableText = Schema.NullOr(Schema.String)
const addresses = Schema.Array(Schema.String)

/** The message that another one is about, on the wire (docs/reference/content.md#quoted-messages). */
const QuotedResource = component(
  "Quoted",
  "The message that this one answers, reacts to, edits or deletes, or whose option it chooses.",
  {
    messageId: wire("message_id", Schema.NullOr(ids.message), {
      description: "Null if the message is unknown here or is another application's."
    }),
    providerMessageId: wire("provider_message_id", nullableText, { description: "The channel's id of the message." }),
    body: field(nullableText, {
      description: "Its text, if the channel repeats it and the message is unknown here; otherwise read the message."
    })
  }
)

/** Where a customer came from, on the wire (docs/reference/content.md#referrals). */
const ReferralResource = component(
  "Referral",
  "The advertisement, post or link that brought the customer to the conversation.",
  {
    source: field(Schema.String, { description: "The channel's name for the kind of source.", examples: ["ad"] }),
    sourceId: wire("source_id", nullableText, { description: "Id of the advertisement or post." }),
    clickId: wire("click_id", nullableText, { description: "For conversion reports; WhatsApp calls it `ctwa_clid`." }),
    headline: nullableText,
    body: nullableText,
    url: nullableText,
    ref: field(nullableText, { description: "What the business put into the link." })
  }
)

/** What the vendor tells of the price, on the wire (docs/reference/messages.md#pricing). */
const PricingResource = component("Pricing", "Price as reported by the vendor; null if not reported.", {
  billable: field(Schema.NullOr(Schema.Boolean), { description: "Whether the vendor charges for the message." }),
  category: field(nullableText, { description: "The vendor's name of the rate.", examples: ["marketing"] }),
  model: field(nullableText, { description: "The vendor's name of its price list.", examples: ["PMP"] }),
  price: field(nullableText, {
    description: "In units of `currency`, as the vendor writes it.",
    examples: ["0.0079"]
  }),
  currency: field(nullableText, { description: "Code of the currency.", examples: ["USD"] })
})

/** Fields of a message around its content. Each is left out where there is nothing to say. */
export const envelopeFields = {
  quoted: Schema.optional(QuotedResource),
  forwarded: field(Schema.optional(Schema.Boolean), { description: "True if the message was forwarded." }),
  automatic: field(Schema.optional(Schema.Boolean), {
    description:
      "True if a program wrote it, such as an out-of-office reply, or if it came through a mailing list. Do not answer it automatically."
  }),
  referral: Schema.optional(ReferralResource),
  groupId: wire("group_id", Schema.optional(Schema.String), { description: "Equal for the messages of an album." }),
  from: field(Schema.optional(Schema.String), { description: "Of an email: who wrote it, as its header has it." }),
  to: field(Schema.optional(addresses), { description: "Of an email." }),
  cc: field(Schema.optional(addresses), { description: "Of an email." }),
  replyTo: wire("reply_to", Schema.optional(addresses), {
    description: "Email only: the Reply-To addresses."
  }),
  fullText: wire("full_text", Schema.optional(Schema.String), {
    description: "Of an email whose `body` leaves out quoted mails or a signature: the whole text."
  }),
  pricing: Schema.optional(PricingResource),
  segments: field(Schema.optional(Schema.Number), {
    description: "Number of charged segments, if reported.",
    examples: [2]
  })
}

/** The fields of {@link envelopeFields} as `viewer` may see them: an application's id; null: an administrator. */
export const envelopeResource = (
  envelope: Envelope | null,
  viewer: string | null
): Schema.Struct.Type<typeof envelopeFields> => {
  const {
    automatic = false,
    forwarded = false,
    fullText = null,
    groupId = null,
    mail = null,
    pricing = null,
    quoted = null,
    referral = null,
    segments = null
  } = envelope ?? {}
  return {
    ...(quoted === null ? {} : { quoted: visibleQuote(quoted, viewer) }),
    ...(forwarded ? { forwarded } : {}),
    ...(automatic ? { automatic } : {}),
    ...(referral === null ? {} : { referral }),
    ...(groupId === null ? {} : { groupId }),
    ...(mail === null ? {} : { to: mail.to, cc: mail.cc, replyTo: mail.replyTo }),
    ...(mail?.from == null ? {} : { from: mail.from }),
    ...(fullText === null ? {} : { fullText }),
    ...(pricing === null ? {} : { pricing }),
    ...(segments === null ? {} : { segments })
  }
}

const visibleQuote = (
  { applicationId, body, messageId, providerMessageId }: Quoted,
  viewer: string | null
): typeof QuotedResource.Type => ({
  messageId: viewer === null || applicationId === null || applicationId === viewer ? messageId : null,
  providerMessageId,
  body
})

/**
 * The fields of {@link envelopeFields} in wire shape, for events. A quote of an application's message has its id in
 * `application_id`, for `withVisibleQuote.ts`.
 */
export const encodeEnvelope = ({
  automatic = false,
  forwarded,
  fullText,
  groupId,
  mail,
  pricing,
  quoted,
  referral,
  segments
}: Envelope) => ({
  ...(quoted === null ? {} : { quoted: encodeQuote(quoted) }),
  ...(forwarded ? { forwarded } : {}),
  ...(automatic ? { automatic } : {}),
  ...(referral === null ? {} : { referral: encodeReferral(referral) }),
  ...(groupId === null ? {} : { group_id: groupId }),
  ...(mail === null ? {} : { to: mail.to, cc: mail.cc, reply_to: mail.replyTo }),
  ...(mail?.from == null ? {} : { from: mail.from }),
  ...(fullText == null ? {} : { full_text: fullText }),
  ...(pricing == null ? {} : { pricing }),
  ...(segments == null ? {} : { segments })
})

/** A quote in a stored event. */
export type EncodedQuote = typeof QuotedResource.Encoded & { readonly application_id?: string }

const encodeQuote = ({ applicationId, body, messageId, providerMessageId }: Quoted): EncodedQuote => ({
  message_id: messageId,
  provider_message_id: providerMessageId,
  body,
  ...(applicationId === null ? {} : { application_id: applicationId })
})

const encodeReferral = ({ clickId, sourceId, ...rest }: Referral): typeof ReferralResource.Encoded => ({
  ...rest,
  source_id: sourceId,
  click_id: clickId
})
