import { InboundEvent } from "@parley/core"
import { Option, Schema } from "effect"
import { Chat } from "./Chat.js"
import { nameOf, Sender } from "./Sender.js"
import { unknown } from "./unknown.js"

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
 * What an update's `callback_query` tells: a customer pressed a button below a message. It is told as a message with the
 * button's label, or with its `data` where the label is not known.
 */
export const callbackEvent = (value: unknown): InboundEvent => {
  const callback = Option.getOrNull(readCallback(value))
  if (callback === null) return unknown("callback_query", value)
  const { data, from, id, message } = callback
  if (message.chat.type !== "private") return unknown(`callback_query.${message.chat.type}`, value)
  const buttons = (message.reply_markup?.inline_keyboard ?? []).flat().flatMap((one) => Option.toArray(readButton(one)))
  return InboundEvent.Message({
    // Not that of the message with the button, which may be pressed again.
    providerMessageId: `callback:${id}`,
    from: String(message.chat.id),
    body: buttons.find(({ callback_data }) => callback_data === data)?.text ?? data,
    subject: null,
    displayName: nameOf(from),
    attachments: [],
    automatic: false
  })
}
