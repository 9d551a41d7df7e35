import { type Fields, fieldsOf, integerIn, textIn } from "./fields.js"

/** The chat of a message. Only private chats are conversations with the business; their id is the customer's. */
export interface Chat {
  readonly id: number
  readonly type: string
}

/** The field `chat`; null if it cannot be read. */
export const chatOf = (message: Fields): Chat | null => {
  const chat = fieldsOf(message.chat)
  const id = integerIn(chat, "id")
  const type = textIn(chat, "type")
  return id === null || type === null ? null : { id, type }
}
