import { InboundEvent } from "@parley/core"
import { Option, Schema } from "effect"
import { templateStatus } from "../templateStatus.js"
import { unknown } from "./unknown.js"

const readUpdate = Schema.decodeUnknownOption(
  Schema.Struct({
    event: Schema.String,
    message_template_name: Schema.NonEmptyString,
    message_template_language: Schema.NonEmptyString
  })
)

/** What a change of the field `message_template_status_update` tells. */
export const templateEvent = (value: unknown): InboundEvent => {
  const update = Option.getOrNull(readUpdate(value))
  const status = update === null ? undefined : templateStatus(update.event)
  return update === null || status === undefined
    ? unknown("message_template_status_update", value)
    : InboundEvent.TemplateStatus({
        name: update.message_template_name,
        // Updates spell `en-US` what lists and sends spell `en_US`.
        language: update.message_template_language.replace("-", "_"),
        status
      })
}
