import { Schema } from "effect"

/** Where something was said. Only what is said in a private chat is said to the business; its id is the customer's own. */
export const Chat = Schema.Struct({ id: Schema.Int, type: Schema.String })
