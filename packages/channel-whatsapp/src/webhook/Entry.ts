import { Schema } from "effect"

/** The events of one WhatsApp Business Account, identified by `id`. */
export const Entry = Schema.Struct({
  id: Schema.String,
  time: Schema.optional(Schema.Unknown),
  changes: Schema.Array(Schema.Unknown)
})

export type Entry = typeof Entry.Type

/** A change of an entry. Read one by one, so that an odd change does not discard the others. */
export const Change = Schema.Struct({ field: Schema.String, value: Schema.Unknown })
export type Change = typeof Change.Type

/**
 * The `value` of a change of a number, for the fields `messages`, `smb_message_echoes` and `user_preferences`, with its
 * further fields.
 */
export const NumberValue = Schema.Struct(
  {
    messaging_product: Schema.optional(Schema.Unknown),
    metadata: Schema.Struct({ phone_number_id: Schema.NonEmptyString }),
    contacts: Schema.optional(Schema.Array(Schema.Unknown)),
    messages: Schema.optional(Schema.Array(Schema.Unknown)),
    message_echoes: Schema.optional(Schema.Array(Schema.Unknown)),
    statuses: Schema.optional(Schema.Array(Schema.Unknown)),
    user_preferences: Schema.optional(Schema.Array(Schema.Unknown))
  },
  { key: Schema.String, value: Schema.Unknown }
)
