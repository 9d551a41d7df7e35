import type { InboundQuote } from "@parley/core"
import { messageIdOf } from "../messageId.js"
import { type Fields, fieldsOf, integerIn, textIn } from "./fields.js"

/** The message that a message answers, or that a notice is about; null if it names none. */
export const quotedOf = (chatId: number, message: Fields, business: string | null): InboundQuote | null => {
  const part = textIn(fieldsOf(message.quote), "text")
  const reply = quoteOf(chatId, fieldsOf(message.reply_to_message ?? message.pinned_message), business)
  if (reply !== null) return part === null ? reply : { ...reply, body: part }
  const other = fieldsOf(message.external_reply)
  const elsewhere = integerIn(fieldsOf(other.chat), "id")
  if (elsewhere !== null) {
    const quote = quoteOf(elsewhere, other, null)
    if (quote !== null) return { ...quote, body: part }
  }
  const story = fieldsOf(message.reply_to_story)
  const id = integerIn(story, "id")
  return id === null ? null : { providerMessageId: `story:${integerIn(fieldsOf(story.chat), "id") ?? chatId}:${id}` }
}

/** A message of this chat, with its text; null if it has no number. */
export const quoteOf = (chatId: number, message: Fields, business: string | null): InboundQuote | null => {
  const message_id = integerIn(message, "message_id")
  return message_id === null
    ? null
    : {
        providerMessageId: messageIdOf({ chat: { id: chatId }, message_id }, business),
        body: textIn(message, "text") ?? textIn(message, "caption")
      }
}
