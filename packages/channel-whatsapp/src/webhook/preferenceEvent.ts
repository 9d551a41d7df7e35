import { InboundEvent } from "@parley/core"
import { Option, Schema } from "effect"
import { handleOf } from "./handleOf.js"
import { unknown } from "./unknown.js"

const readPreference = Schema.decodeUnknownOption(
  Schema.Struct({
    wa_id: Schema.optional(Schema.String),
    user_id: Schema.optional(Schema.String),
    category: Schema.Literal("marketing_messages"),
    value: Schema.Literal("stop", "resume")
  })
)

/** What one of a change's `user_preferences` tells: whether a customer wants marketing messages (M). */
export const preferenceEvent = (value: unknown): InboundEvent => {
  const preference = Option.getOrNull(readPreference(value))
  const handle = preference && handleOf(preference.wa_id, preference.user_id)
  return preference === null || handle === null
    ? unknown("user_preferences", value)
    : InboundEvent.OptOut({ handle, scope: "marketing", optedOut: preference.value === "stop" })
}
