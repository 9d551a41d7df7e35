import { InboundEvent } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { ofBusiness } from "../messageId.js"
import { chatOf } from "./Chat.js"
import { type Fields, fieldsOf, integerIn, textIn } from "./fields.js"
import { quoteOf } from "./quotedOf.js"
import { nameOf } from "./Sender.js"

/**
 * The event of a `callback_query`: a customer pressed a button below a message. The text is the button's label, or its
 * `data` if the label is unknown. The play button of a game has no data.
 */
export const callbackEvent = (value: unknown): InboundEvent => {
  const callback = fieldsOf(value)
  const message = fieldsOf(callback.message)
  const chat = chatOf(message)
  const id = textIn(callback, "id")
  const business = textIn(message, "business_connection_id")
  const data = textIn(callback, "data")
  const game = textIn(callback, "game_short_name")
  if (chat === null || id === null || (data === null && game === null)) return unknownEvent("callback_query", value)
  if (chat.type !== "private") return unknownEvent(`callback_query.${chat.type}`, value)
  // In the chat of a business account, its owner sees the buttons too.
  if (business !== null && integerIn(fieldsOf(callback.from), "id") !== chat.id) {
    return unknownEvent("callback_query.business", value)
  }
  const title = data === null ? null : (labelOf(message, data) ?? data)
  return InboundEvent.Message({
    // Not the id of the message with the button, which may be pressed again.
    providerMessageId: ofBusiness(`callback:${id}`, business),
    from: String(chat.id),
    body: title ?? game ?? "",
    content: title === null ? { type: "unsupported", kind: "game" } : { type: "choice", id: data, title },
    quoted: quoteOf(chat.id, message, business),
    subject: null,
    displayName: nameOf(fieldsOf(callback.from)),
    attachments: [],
    automatic: false
  })
}

/** The label of the button with this data; null if the message does not repeat its keyboard. */
const labelOf = (message: Fields, data: string): string | null => {
  const rows = fieldsOf(message.reply_markup).inline_keyboard
  if (!Array.isArray(rows)) return null
  const button = rows
    .flat()
    .map(fieldsOf)
    .find((one) => one.callback_data === data)
  return button === undefined ? null : textIn(button, "text")
}
