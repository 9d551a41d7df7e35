import { InboundEvent } from "@parley/core"
import { Option, Schema } from "effect"
import { messageIdOf } from "../messageId.js"
import { Chat } from "./Chat.js"
import { contentOf } from "./content.js"
import { nameOf, Sender } from "./Sender.js"
import { unknown } from "./unknown.js"

const readMessage = Schema.decodeUnknownOption(Schema.Struct({ message_id: Schema.Int, chat: Chat, from: Sender }))

/** What an update's `message` tells. */
export const messageEvent = (value: unknown): InboundEvent => {
  const message = Option.getOrNull(readMessage(value))
  if (message === null) return unknown("message", value)
  const { chat, from } = message
  if (chat.type !== "private") return unknown(`message.${chat.type}`, value)
  return Option.match(contentOf(value), {
    onNone: () => unknown("message", value),
    onSome: (content) =>
      InboundEvent.Message({
        ...content,
        providerMessageId: messageIdOf(message),
        from: String(chat.id),
        subject: null,
        displayName: nameOf(from),
        automatic: from.is_bot
      })
  })
}
