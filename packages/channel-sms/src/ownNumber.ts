import { Effect, Option, Schema } from "effect"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi, TwilioFailure } from "./twilioApi.js"

const readNumbers = Schema.decodeUnknownOption(
  Schema.Struct({
    incoming_phone_numbers: Schema.Array(
      Schema.Struct({
        sid: Schema.NonEmptyString,
        phone_number: Schema.String,
        sms_url: Schema.NullishOr(Schema.String)
      })
    )
  })
)

/** A number of the account at Twilio. */
export interface OwnNumber {
  readonly sid: string
  /** The URL that gets its messages; null: none. */
  readonly smsUrl: string | null
}

/** The number at Twilio; null if the account does not have it. */
export const ownNumber = (
  twilio: TwilioApi,
  account: SmsAccount,
  number: string
): Effect.Effect<OwnNumber | null, TwilioFailure> =>
  Effect.map(twilio.call(account, { path: "/IncomingPhoneNumbers.json", query: { PhoneNumber: number } }), (answer) => {
    const { incoming_phone_numbers: numbers } = Option.getOrElse(readNumbers(answer), () => ({
      incoming_phone_numbers: []
    }))
    const found = numbers.find(({ phone_number }) => phone_number === number)
    return found === undefined ? null : { sid: found.sid, smsUrl: found.sms_url || null }
  })
