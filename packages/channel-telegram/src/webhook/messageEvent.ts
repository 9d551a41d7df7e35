import { InboundEvent } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import { messageIdOf } from "../messageId.js"
import { Chat } from "./Chat.js"
import { contentOf } from "./content.js"
import { nameOf, Sender } from "./Sender.js"

const readMessage = Schema.decodeUnknownOption(Schema.Struct({ message_id: Schema.Int, chat: Chat, from: Sender }))

/** The event of a `message`. */
export const messageEvent = (value: unknown): InboundEvent => {
  const message = Option.getOrNull(readMessage(value))
  if (message === null) return unknownEvent("message", value)
  const { chat, from } = message
  if (chat.type !== "private") return unknownEvent(`message.${chat.type}`, value)
  return Option.match(contentOf(value), {
    onNone: () => unknownEvent("message", value),
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
