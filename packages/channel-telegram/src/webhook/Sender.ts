import { Schema } from "effect"

/** The sender of a message. */
export const Sender = Schema.Struct({
  is_bot: Schema.Boolean,
  first_name: Schema.String,
  last_name: Schema.optional(Schema.String)
})

/** The sender's display name. */
export const nameOf = ({ first_name, last_name = "" }: typeof Sender.Type): string | null =>
  `${first_name} ${last_name}`.trim() || null
