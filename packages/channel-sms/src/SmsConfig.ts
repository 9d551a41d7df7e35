import { given, wholeNumber, withMessage } from "@parley/core"
import { Schema } from "effect"

const sid = (prefix: string) =>
  Schema.String.pipe(
    Schema.pattern(new RegExp(`^${prefix}[0-9a-fA-F]{32}$`)),
    withMessage(`must be an id of Twilio: ${prefix} and 32 hexadecimal digits`)
  )

/** The `config` of a connection (docs/channels/sms.md). */
export const SmsConfig = Schema.Struct({
  account_sid: sid("AC").annotations({
    title: "Account SID",
    description: "Of the Twilio account; it begins with AC."
  }),
  messaging_service_sid: given(
    sid("MG").annotations({
      title: "Messaging Service SID",
      description: "Sends through this Messaging Service, which chooses the sender, instead of from the handle."
    })
  ),
  messages_per_second: given(
    wholeNumber(1, 1_000).annotations({
      title: "Messages a second",
      description: "How many may be handed to Twilio, which queues them for the carrier. Default: 50."
    })
  )
})
export type SmsConfig = typeof SmsConfig.Type
