import { InboundEvent, type Instant } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import { templateStatus } from "../templateStatus.js"

const readUpdate = Schema.decodeUnknownOption(
  Schema.Struct({
    event: Schema.String,
    message_template_name: Schema.NonEmptyString,
    message_template_language: Schema.NonEmptyString
  })
)

/** The event of a change of the field `message_template_status_update`, of this time. */
export const templateEvent = (value: unknown, at: Instant | null): InboundEvent => {
  const update = Option.getOrNull(readUpdate(value))
  const status = update === null ? undefined : templateStatus(update.event)
  return update === null || status === undefined
    ? unknownEvent("message_template_status_update", value)
    : InboundEvent.TemplateStatus({
        name: update.message_template_name,
        // Updates write `en-US` where lists and sends have `en_US`.
        language: update.message_template_language.replace("-", "_"),
        status,
        ...(at === null ? {} : { at })
      })
}
