import { meaningOf } from "./Meaning.js"
import type { TwilioFailure } from "./twilioApi.js"

/** What an operator has to do after a failed call, without text of Twilio's, which may repeat what was sent. */
export const problemOf = (failure: TwilioFailure): string => {
  if (failure._tag !== "Refused" || failure.error === null) return `Twilio could not be reached: ${failure.reason}.`
  const { error, reason, status } = failure
  if (status === 401 || error.code === 20003) {
    return "Twilio does not accept the auth_token for this account_sid: copy both from Account Info in Twilio's console."
  }
  if (status === 404) return "Twilio does not know the account_sid."
  const meaning = meaningOf(error.code, status)
  return meaning.kind === "rejected"
    ? `Twilio refused with error ${error.code}. ${meaning.message}`
    : `Twilio cannot answer for now: ${reason}. Try again later.`
}
