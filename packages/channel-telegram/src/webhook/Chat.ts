import { Schema } from "effect"

/** The chat of a message. Only private chats are conversations with the business; their id is the customer's. */
export const Chat = Schema.Struct({ id: Schema.Int, type: Schema.String })
