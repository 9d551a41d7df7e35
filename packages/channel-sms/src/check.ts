import { CheckOutcome } from "@parley/core"
import { Effect, Option, Schema } from "effect"
import { withoutConnectionOverrides } from "./connectionOverrides.js"
import { receivesMessages } from "./handles.js"
import { type OwnNumber, ownNumber } from "./ownNumber.js"
import { problemOf } from "./problemOf.js"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi } from "./twilioApi.js"

const readAccount = Schema.decodeUnknownOption(Schema.Struct({ friendly_name: Schema.String, status: Schema.String }))

/** Reads the account and, if the sender is a number, where its messages go. `url`: our webhook; null if unknown. */
export const check = (
  twilio: TwilioApi,
  account: SmsAccount,
  sender: string,
  url: string | null
): Effect.Effect<CheckOutcome> =>
  Effect.gen(function* () {
    const answer = yield* Effect.mapError(twilio.call(account, { path: ".json" }), problemOf)
    const { friendly_name, status } = yield* Option.match(readAccount(answer), {
      onNone: () => Effect.fail("Twilio's answer about the account cannot be read."),
      onSome: Effect.succeed
    })
    if (status !== "active") return yield* Effect.fail(`Twilio says that the account is ${status}.`)
    const { messaging_service_sid } = account.config
    if (messaging_service_sid !== undefined) return `${friendly_name}, through the Messaging Service`
    if (!receivesMessages(sender)) return `${friendly_name}, from ${sender}: customers cannot answer this sender`
    if (!sender.startsWith("+")) return `${friendly_name}, from ${sender}`
    const number = yield* Effect.mapError(ownNumber(twilio, account, sender), problemOf)
    if (number === null) return yield* Effect.fail(`The account does not have the number ${sender}.`)
    return `${friendly_name}, ${destinationOf(number, url)}`
  }).pipe(
    Effect.match({
      onFailure: (problem): CheckOutcome => CheckOutcome.Failing({ problem }),
      onSuccess: (detail): CheckOutcome => CheckOutcome.Working({ detail })
    })
  )

/** Where the messages of a number go. */
const destinationOf = ({ applicationSid, smsUrl }: OwnNumber, url: string | null): string => {
  if (applicationSid !== null) return `its messages go to the TwiML application ${applicationSid}: run setup`
  if (smsUrl === null) return "no webhook yet: run setup"
  const registered = withoutConnectionOverrides(smsUrl)
  if (url !== null && registered !== url) return `its messages go to ${registered}, not to ${url}: run setup`
  return registered === smsUrl
    ? `webhook ${registered}, without retries after failures: run setup again`
    : `webhook ${registered}`
}
