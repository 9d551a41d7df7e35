import { Schema } from "effect"

/** Who said something. */
export const Sender = Schema.Struct({
  is_bot: Schema.Boolean,
  first_name: Schema.String,
  last_name: Schema.optional(Schema.String)
})

/** What they call themselves. */
export const nameOf = ({ first_name, last_name = "" }: typeof Sender.Type): string | null =>
  `${first_name} ${last_name}`.trim() || null
