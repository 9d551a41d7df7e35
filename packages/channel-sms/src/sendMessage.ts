import { type OutboundMessage, SendOutcome } from "@parley/core"
import { fieldsOf, sendOutcome } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import { billingOf } from "./billingOf.js"
import { meaningOf } from "./Meaning.js"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi } from "./twilioApi.js"
import { callbackUrl } from "./webhook/callbackUrl.js"

const readAnswer = Schema.decodeUnknownOption(Schema.Struct({ sid: Schema.NonEmptyString }))

/** The statuses of a message that Twilio has and has not handed to a carrier. */
const waiting = ["accepted", "queued", "scheduled"]

/**
 * Sends one message: `POST /Messages.json` (docs/reference/sms.md#send-request). With a public URL, Twilio reports its
 * progress to the webhook, with our id.
 */
export const sendMessage = (
  twilio: TwilioApi,
  account: SmsAccount,
  sender: string,
  message: OutboundMessage
): Effect.Effect<SendOutcome> => {
  const { config, credentials } = account
  const { body, files = [], id, to, webhookUrl = null } = message
  const urls = files.flatMap(({ url }) => url ?? [])
  if (urls.length < files.length) return Effect.succeed(withoutPublicUrl)
  return sendOutcome(
    twilio.call(account, {
      path: "/Messages.json",
      form: [
        ["To", to],
        config.messaging_service_sid === undefined
          ? ["From", sender]
          : ["MessagingServiceSid", config.messaging_service_sid],
        ...(body === "" ? [] : [["Body", body] as const]),
        ...urls.map((url) => ["MediaUrl", url] as const),
        ...(webhookUrl === null ? [] : [["StatusCallback", callbackUrl(webhookUrl, id)] as const])
      ]
    }),
    {
      messageId: (answer) => Option.map(readAnswer(answer), ({ sid }) => sid),
      accepted: (answer) => {
        const { num_segments, price, price_unit, status } = fieldsOf(answer)
        return {
          billing: billingOf(num_segments, price, price_unit),
          // Without a callback, the next status is not reported.
          queued: webhookUrl !== null && waiting.includes(String(status))
        }
      },
      meaningOf: ({ code }, status) => meaningOf(code, status),
      credentials
    }
  )
}

/** Twilio takes files by URL only. */
const withoutPublicUrl = SendOutcome.Rejected({
  scope: "message",
  code: "provider_error",
  providerCode: "no_public_url",
  providerMessage: "Twilio fetches files by URL. Set PARLEY_PUBLIC_URL to the public https URL of this service."
})
