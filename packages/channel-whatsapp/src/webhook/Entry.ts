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

const list = Schema.optionalWith(Schema.Array(Schema.Unknown), { nullable: true })

/**
 * The `value` of a change of a number, for the fields `messages`, `smb_message_echoes`, `user_preferences` and
 * `history`, with its further fields.
 */
export const NumberValue = Schema.Struct(
  {
    messaging_product: Schema.optional(Schema.Unknown),
    metadata: Schema.Struct({
      phone_number_id: Schema.NonEmptyString,
      display_phone_number: Schema.optional(Schema.Unknown)
    }),
    contacts: list,
    messages: list,
    message_echoes: list,
    statuses: list,
    user_preferences: list,
    history: list
  },
  { key: Schema.String, value: Schema.Unknown }
)
