import { CheckOutcome } from "@parley/core"
import { Effect, Option, Schema } from "effect"
import { ownNumber } from "./ownNumber.js"
import { problemOf } from "./problemOf.js"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi } from "./twilioApi.js"

const readAccount = Schema.decodeUnknownOption(Schema.Struct({ friendly_name: Schema.String, status: Schema.String }))

/** Reads the account and, if the sender is a number, where its messages go. */
export const check = (twilio: TwilioApi, account: SmsAccount, sender: string): Effect.Effect<CheckOutcome> =>
  Effect.gen(function* () {
    const answer = yield* Effect.mapError(twilio.call(account, { path: ".json" }), problemOf)
    const { friendly_name, status } = yield* Option.match(readAccount(answer), {
      onNone: () => Effect.fail("Twilio's answer about the account cannot be read."),
      onSome: Effect.succeed
    })
    if (status !== "active") return yield* Effect.fail(`Twilio says that the account is ${status}.`)
    const { messaging_service_sid } = account.config
    if (messaging_service_sid !== undefined) return `${friendly_name}, through the Messaging Service`
    if (!sender.startsWith("+"))
      return `${friendly_name}, from ${sender}: customers cannot answer an alphanumeric sender`
    const number = yield* Effect.mapError(ownNumber(twilio, account, sender), problemOf)
    if (number === null) return yield* Effect.fail(`The account does not have the number ${sender}.`)
    return `${friendly_name}, ${number.smsUrl === null ? "no webhook yet: set it up" : `webhook ${number.smsUrl}`}`
  }).pipe(
    Effect.match({
      onFailure: (problem): CheckOutcome => CheckOutcome.Failing({ problem }),
      onSuccess: (detail): CheckOutcome => CheckOutcome.Working({ detail })
    })
  )
