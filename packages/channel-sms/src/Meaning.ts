import { type Meaning, rejection } from "@parley/provider-kit"

const recipient = (message: string) => rejection("recipient", message)
const account = (message: string) => rejection("connection", message)

const throttled: Meaning = { kind: "throttled" }
const noNumber = recipient("The number cannot receive text messages.")
const unreachable = recipient("The phone cannot be reached now, or its number is not in service.")
const optedOut = rejection("recipient", "The customer has opted out of messages from this sender.", { optOut: "all" })
const noAccess = account("Twilio does not accept the auth token, or the account is closed.")
const badSender = account("The account may not send from this sender.")
const notRegistered = account("The sender is not registered with the carriers for these messages.")
const filtered = rejection("message", "A carrier filtered the message out as unwanted.")
const notFetched = rejection("message", "Twilio could not fetch a file of the message, or does not take its type.")

/** The meaning of each error code, of calls and of receipts (docs/reference/sms.md#error-codes). */
const meanings: { readonly [code: number]: Meaning } = {
  10001: account("The Twilio account is not active."),
  14107: throttled,
  20003: noAccess,
  20005: account("The Twilio account is not active."),
  20429: throttled,
  21211: noNumber,
  21212: badSender,
  21408: recipient("The account may not send to this country: allow it in Twilio's geographic permissions."),
  21606: badSender,
  21608: recipient("A trial account sends to verified numbers only."),
  21609: account("Twilio does not accept the callback URL of this service: PARLEY_PUBLIC_URL must be a public URL."),
  21610: optedOut,
  21611: throttled,
  21612: recipient("The sender cannot reach this number."),
  21614: noNumber,
  21617: rejection("message", "The text is longer than 1,600 characters."),
  21620: notFetched,
  21623: notFetched,
  21660: badSender,
  21701: account("Twilio does not know the Messaging Service."),
  21703: account("The Messaging Service has no senders."),
  30001: throttled,
  30002: account("The Twilio account is suspended."),
  30003: unreachable,
  30004: recipient("The recipient or a carrier blocks messages from this sender."),
  30005: unreachable,
  30006: noNumber,
  30007: filtered,
  30008: rejection("message", "The carrier did not deliver the message, and says no reason."),
  30019: rejection("message", "The files are too large for the carrier."),
  30022: throttled,
  30032: notRegistered,
  30034: notRegistered,
  63038: throttled
}

/** The meaning of an error. An unlisted code is classified by the HTTP status; null: it came in a receipt. */
export const meaningOf = (code: number, status: number | null): Meaning => {
  const known = meanings[code]
  if (known !== undefined) return known
  if (status === 429) return throttled
  if (status === 401) return noAccess
  return status !== null && status >= 500
    ? { kind: "transient" }
    : rejection("message", "Twilio did not take the message.")
}
