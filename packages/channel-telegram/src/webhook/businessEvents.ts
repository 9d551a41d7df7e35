import { InboundEvent, second } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { messageIdOf } from "../messageId.js"
import { chatOf } from "./Chat.js"
import { fieldsOf, integerIn, textIn } from "./fields.js"
import { nameOf } from "./Sender.js"

/**
 * The event of a `business_connection`: a person connected the bot with their account, changed its rights, or
 * disconnected it.
 */
export const connectionEvent = (value: unknown): InboundEvent => {
  const connection = fieldsOf(value)
  const user = fieldsOf(connection.user)
  const date = integerIn(connection, "date")
  if (date === null || typeof connection.is_enabled !== "boolean") return unknownEvent("business_connection", value)
  const who = `${nameOf(user) ?? "A person"} (${integerIn(user, "id") ?? "unknown id"})`
  const mayReply = fieldsOf(connection.rights).can_reply === true || connection.can_reply === true
  const rights = mayReply ? "with the right" : "without the right"
  const message = connection.is_enabled
    ? `${who} connected the bot with their Telegram Business account, ${rights} to answer their customers. If the account is yours, add ${textIn(connection, "id")} to business_connections in the connection's config.`
    : `${who} disconnected the bot from their Telegram Business account.`
  return InboundEvent.AccountNotice({ message, at: date * second })
}

/** The events of `deleted_business_messages`: a deletion for each message. Telegram does not say who deleted them. */
export const deletionEvents = (value: unknown): ReadonlyArray<InboundEvent> => {
  const deleted = fieldsOf(value)
  const chat = chatOf(deleted)
  const business = textIn(deleted, "business_connection_id")
  const ids: ReadonlyArray<unknown> = Array.isArray(deleted.message_ids) ? deleted.message_ids : []
  const numbers = ids.filter((id): id is number => Number.isSafeInteger(id))
  if (chat?.type !== "private" || business === null || numbers.length === 0) {
    return [unknownEvent("deleted_business_messages", value)]
  }
  return numbers.map((message_id) => {
    const quoted = messageIdOf({ chat, message_id }, business)
    return InboundEvent.Message({
      providerMessageId: `deletion:${quoted}`,
      from: String(chat.id),
      body: "Message deleted",
      content: { type: "deletion" },
      quoted: { providerMessageId: quoted },
      subject: null,
      displayName: nameOf(fieldsOf(deleted.chat)),
      attachments: [],
      automatic: false
    })
  })
}
