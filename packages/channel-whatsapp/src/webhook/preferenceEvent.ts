import { InboundEvent } from "@parley/core"
import { fieldsOf, unknownEvent } from "@parley/provider-kit"
import { handleOf } from "./handleOf.js"
import { instantOf } from "./instantOf.js"

/**
 * The event of one of a change's `user_preferences`: whether a customer accepts marketing messages
 * (docs/reference/whatsapp.md#webhook-request).
 */
export const preferenceEvent = (value: unknown): InboundEvent => {
  const { category, timestamp, user_id, value: preference, wa_id } = fieldsOf(value)
  const handle = handleOf(wa_id, user_id)
  const at = instantOf(timestamp)
  const isKnown = category === "marketing_messages" && (preference === "stop" || preference === "resume")
  return !isKnown || handle === null
    ? unknownEvent("user_preferences", value)
    : InboundEvent.OptOut({
        handle,
        scope: "marketing",
        optedOut: preference === "stop",
        ...(at === null ? {} : { at })
      })
}
