import { Schema } from "effect"

/** What Meta calls a webhook with; entries are read one by one, so that one of another shape takes nothing else along. */
export const Envelope = Schema.parseJson(Schema.Struct({ object: Schema.String, entry: Schema.Array(Schema.Unknown) }))

/** News of one WhatsApp Business Account, whose id it has. */
export const Entry = Schema.Struct({
  id: Schema.String,
  changes: Schema.Array(Schema.Struct({ field: Schema.String, value: Schema.Unknown }))
})

/** The `value` of a change about a number, of the fields `messages` and `user_preferences`; with what else it has. */
export const NumberValue = Schema.Struct(
  {
    messaging_product: Schema.optional(Schema.Unknown),
    metadata: Schema.Struct({ phone_number_id: Schema.NonEmptyString }),
    contacts: Schema.optional(Schema.Array(Schema.Unknown)),
    messages: Schema.optional(Schema.Array(Schema.Unknown)),
    statuses: Schema.optional(Schema.Array(Schema.Unknown)),
    user_preferences: Schema.optional(Schema.Array(Schema.Unknown))
  },
  { key: Schema.String, value: Schema.Unknown }
)
