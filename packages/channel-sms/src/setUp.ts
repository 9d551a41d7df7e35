import { CheckOutcome } from "@parley/core"
import { Effect } from "effect"
import { withConnectionOverrides } from "./connectionOverrides.js"
import { ownNumber } from "./ownNumber.js"
import { problemOf } from "./problemOf.js"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi } from "./twilioApi.js"

/**
 * Registers our webhook for the messages of the number, also as the fallback URL, with 5 retries.
 * Replaces a TwiML application of the number, which would get the messages instead. A Messaging Service or a short code
 * is set up in Twilio's console.
 */
export const setUp = (
  twilio: TwilioApi,
  account: SmsAccount,
  sender: string,
  webhookUrl: string
): Effect.Effect<CheckOutcome> =>
  Effect.gen(function* () {
    if (account.config.messaging_service_sid !== undefined || !sender.startsWith("+")) {
      return yield* Effect.fail(
        `Enter the webhook in Twilio's console, as the URL of incoming messages and as the fallback URL (HTTP POST): ${withConnectionOverrides(webhookUrl)}`
      )
    }
    const number = yield* Effect.mapError(ownNumber(twilio, account, sender), problemOf)
    if (number === null) return yield* Effect.fail(`The account does not have the number ${sender}.`)
    const path = `/IncomingPhoneNumbers/${number.sid}.json`
    const form = [
      ["SmsUrl", withConnectionOverrides(webhookUrl)],
      ["SmsMethod", "POST"],
      ["SmsFallbackUrl", withConnectionOverrides(webhookUrl)],
      ["SmsFallbackMethod", "POST"],
      ["SmsApplicationSid", ""]
    ] as const
    yield* Effect.mapError(twilio.call(account, { path, form }), problemOf)
    const replaced =
      number.applicationSid === null ? "" : `, no longer to its TwiML application ${number.applicationSid}`
    return `Twilio sends the messages of ${sender} to ${webhookUrl}${replaced}`
  }).pipe(
    Effect.match({
      onFailure: (problem): CheckOutcome => CheckOutcome.Failing({ problem }),
      onSuccess: (detail): CheckOutcome => CheckOutcome.Working({ detail })
    })
  )
