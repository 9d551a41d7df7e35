import { InboundEvent } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import { handleOf } from "./handleOf.js"

const readPreference = Schema.decodeUnknownOption(
  Schema.Struct({
    wa_id: Schema.optional(Schema.String),
    user_id: Schema.optional(Schema.String),
    category: Schema.Literal("marketing_messages"),
    value: Schema.Literal("stop", "resume")
  })
)

/**
 * The event of one of a change's `user_preferences`: whether a customer accepts marketing messages
 * (docs/reference/whatsapp.md#webhook-request).
 */
export const preferenceEvent = (value: unknown): InboundEvent => {
  const preference = Option.getOrNull(readPreference(value))
  const handle = preference && handleOf(preference.wa_id, preference.user_id)
  return preference === null || handle === null
    ? unknownEvent("user_preferences", value)
    : InboundEvent.OptOut({ handle, scope: "marketing", optedOut: preference.value === "stop" })
}
