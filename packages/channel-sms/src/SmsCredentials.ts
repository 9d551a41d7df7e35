import { withMessage } from "@parley/core"
import { Schema } from "effect"

/** The `credentials` of a connection (docs/channels/sms.md). */
export const SmsCredentials = Schema.Struct({
  auth_token: Schema.Trim.pipe(
    Schema.pattern(/^[\x21-\x7e]{1,256}$/),
    withMessage("must be 1 to 256 characters of ASCII without spaces")
  ).annotations({
    title: "Auth token",
    description: "Of the account: authenticates calls, and proves that Twilio sent what comes to the webhook."
  })
})
export type SmsCredentials = typeof SmsCredentials.Type
