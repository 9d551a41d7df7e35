import { InboundEvent } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import { Chat } from "./Chat.js"
import { nameOf, Sender } from "./Sender.js"

const Keyboard = Schema.Struct({ inline_keyboard: Schema.Array(Schema.Array(Schema.Unknown)) })

const readCallback = Schema.decodeUnknownOption(
  Schema.Struct({
    id: Schema.NonEmptyString,
    from: Sender,
    message: Schema.Struct({ chat: Chat, reply_markup: Schema.optional(Keyboard) }),
    data: Schema.NonEmptyString
  })
)
const readButton = Schema.decodeUnknownOption(
  Schema.Struct({ text: Schema.NonEmptyString, callback_data: Schema.String })
)

/**
 * The event of a `callback_query`: a customer pressed a button below a message. The text is the button's label, or its
 * `data` if the label is unknown.
 */
export const callbackEvent = (value: unknown): InboundEvent => {
  const callback = Option.getOrNull(readCallback(value))
  if (callback === null) return unknownEvent("callback_query", value)
  const { data, from, id, message } = callback
  if (message.chat.type !== "private") return unknownEvent(`callback_query.${message.chat.type}`, value)
  const buttons = (message.reply_markup?.inline_keyboard ?? []).flat().flatMap((one) => Option.toArray(readButton(one)))
  return InboundEvent.Message({
    // Not the id of the message with the button, which may be pressed again.
    providerMessageId: `callback:${id}`,
    from: String(message.chat.id),
    body: buttons.find(({ callback_data }) => callback_data === data)?.text ?? data,
    subject: null,
    displayName: nameOf(from),
    attachments: [],
    automatic: false
  })
}
