import { Effect, Option, Schema } from "effect"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi, TwilioFailure } from "./twilioApi.js"

const readNumbers = Schema.decodeUnknownOption(
  Schema.Struct({
    incoming_phone_numbers: Schema.Array(
      Schema.Struct({
        sid: Schema.NonEmptyString,
        phone_number: Schema.String,
        sms_url: Schema.NullishOr(Schema.String),
        sms_application_sid: Schema.NullishOr(Schema.String)
      })
    )
  })
)

/** A number of the account at Twilio. */
export interface OwnNumber {
  readonly sid: string
  /** The URL that gets its messages; null: none. */
  readonly smsUrl: string | null
  /** The TwiML application that gets its messages instead; null: none. */
  readonly applicationSid: string | null
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
    if (found === undefined) return null
    const { sid, sms_application_sid, sms_url } = found
    return { sid, smsUrl: sms_url || null, applicationSid: sms_application_sid || null }
  })
