import { CheckOutcome } from "@parley/core"
import { Effect } from "effect"
import { ownNumber } from "./ownNumber.js"
import { problemOf } from "./problemOf.js"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi } from "./twilioApi.js"

/**
 * Registers our webhook for the messages of the number. A Messaging Service or a short code is set up in Twilio's
 * console.
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
        `Enter the webhook in Twilio's console, as the URL of incoming messages (HTTP POST): ${webhookUrl}`
      )
    }
    const number = yield* Effect.mapError(ownNumber(twilio, account, sender), problemOf)
    if (number === null) return yield* Effect.fail(`The account does not have the number ${sender}.`)
    const path = `/IncomingPhoneNumbers/${number.sid}.json`
    const form = [
      ["SmsUrl", webhookUrl],
      ["SmsMethod", "POST"]
    ] as const
    yield* Effect.mapError(twilio.call(account, { path, form }), problemOf)
    return `Twilio sends the messages of ${sender} to ${webhookUrl}`
  }).pipe(
    Effect.match({
      onFailure: (problem): CheckOutcome => CheckOutcome.Failing({ problem }),
      onSuccess: (detail): CheckOutcome => CheckOutcome.Working({ detail })
    })
  )
