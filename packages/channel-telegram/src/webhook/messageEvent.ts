import { InboundEvent, type InboundQuote, type Referral, second } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { messageIdOf, ofBusiness } from "../messageId.js"
import { chatOf } from "./Chat.js"
import { contentOf } from "./content.js"
import { type Fields, fieldsOf, integerIn, textIn } from "./fields.js"
import { quotedOf, quoteOf } from "./quotedOf.js"
import { nameOf } from "./Sender.js"

/** The event of a `message`. */
export const messageEvent = (value: unknown): InboundEvent => read(value, "message", null)

/** The event of an `edited_message`: an edit that quotes the message, by the number of its update. */
export const editEvent = (value: unknown, updateId: number): InboundEvent => read(value, "edited_message", updateId)

/**
 * The event of a `business_message`, in a chat of a business account: a message of the customer, or one that the
 * business wrote elsewhere (docs/reference/telegram.md#business-accounts).
 */
export const businessMessageEvent = (value: unknown): InboundEvent =>
  messageOrEcho(read(value, "business_message", null), fieldsOf(value))

/** The event of an `edited_business_message`, as {@link businessMessageEvent}. */
export const businessEditEvent = (value: unknown, updateId: number): InboundEvent =>
  messageOrEcho(read(value, "edited_business_message", updateId), fieldsOf(value))

const messageOrEcho = (event: InboundEvent, message: Fields): InboundEvent =>
  event._tag === "Message" && isOfBusiness(message) ? echoOf(event, message) : event

/** The chat has the id of the customer. */
const isOfBusiness = (message: Fields): boolean => integerIn(fieldsOf(message.from), "id") !== chatOf(message)?.id

const echoOf = (
  {
    attachments,
    body,
    content = null,
    forwarded = false,
    from,
    groupId = null,
    providerMessageId,
    quoted = null
  }: InboundEvent & { readonly _tag: "Message" },
  message: Fields
): InboundEvent =>
  InboundEvent.Echo({
    providerMessageId,
    to: from,
    at: (integerIn(message, "edit_date") ?? integerIn(message, "date") ?? 0) * second,
    body,
    content,
    quoted,
    forwarded,
    groupId,
    attachments,
    mayBeOwn: message.sender_business_bot != null
  })

const read = (value: unknown, kind: string, edit: number | null): InboundEvent => {
  const message = fieldsOf(value)
  const chat = chatOf(message)
  const message_id = integerIn(message, "message_id")
  const from = fieldsOf(message.from)
  if (chat === null || message_id === null || integerIn(from, "id") === null) return unknownEvent(kind, value)
  if (chat.type !== "private") return unknownEvent(`${kind}.${chat.type}`, value)
  const business = textIn(message, "business_connection_id")
  const id = messageIdOf({ chat, message_id }, business)
  const common = {
    ...contentOf(message),
    from: String(chat.id),
    subject: null,
    displayName: nameOf(from),
    automatic: from.is_bot === true
  }
  if (edit !== null) {
    const edited = { content: { type: "edit" as const }, quoted: quoteOf(chat.id, message, business) }
    const date = integerIn(message, "edit_date") ?? 0
    return InboundEvent.Message({
      ...common,
      ...edited,
      providerMessageId: ofBusiness(`${chat.id}:${message_id}:edit:${date}:${edit}`, business)
    })
  }
  const date = integerIn(message, "date")
  const written = { providerMessageId: id, ...(date === null ? {} : { at: date * second }) }
  return InboundEvent.Message({ ...common, ...envelopeOf(chat.id, message, business), ...written })
}

interface Origin {
  readonly quoted?: InboundQuote
  readonly forwarded?: true
  readonly groupId?: string
  readonly referral?: Referral
}

/** What the message answers and where it comes from. */
const envelopeOf = (chatId: number, message: Fields, business: string | null): Origin => {
  const quoted = quotedOf(chatId, message, business)
  const groupId = textIn(message, "media_group_id")
  const [, ref] = /^\/start(?:@\w+)? +(\S+)\s*$/.exec(textIn(message, "text") ?? "") ?? []
  return {
    ...(quoted === null ? {} : { quoted }),
    ...(message.forward_origin == null && message.forward_date == null ? {} : { forwarded: true }),
    ...(groupId === null ? {} : { groupId: groupId.slice(0, 255) }),
    ...(ref === undefined ? {} : { referral: started(ref) })
  }
}

/** A start by a link such as `https://t.me/acme_bot?start=order-4711`. */
const started = (ref: string): Referral => ({
  source: "start",
  sourceId: null,
  clickId: null,
  headline: null,
  body: null,
  url: null,
  ref
})
