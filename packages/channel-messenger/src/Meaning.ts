import type { ErrorCode, SendOutcome } from "@parley/core"
import { codesOf, type GraphError } from "./GraphError.js"

type Rejected = Extract<SendOutcome, { readonly _tag: "Rejected" }>

/** What an error of Meta's means for a message. */
export type Meaning =
  | (Pick<Rejected, "scope" | "code"> & {
      readonly kind: "rejected"
      /** In our own words. */
      readonly words: string
    })
  | { readonly kind: "throttled" }
  | { readonly kind: "transient" }

const rejected = (scope: Rejected["scope"], words: string, code: ErrorCode = "provider_error"): Meaning => ({
  kind: "rejected",
  scope,
  code,
  words
})

const account = (words: string): Meaning => rejected("connection", words)
const recipient = (words: string): Meaning => rejected("recipient", words)
const message = (words: string): Meaning => rejected("message", words)

const throttled: Meaning = { kind: "throttled" }
const transient: Meaning = { kind: "transient" }

const noPermission = account("The page access token may not send for this Page.")
const noAccess = account("The page access token is not valid, or has expired.")
const unavailable = recipient("The customer does not take messages from this business now, or is not there any more.")
const unknownCustomer = recipient("Meta knows no such customer of this Page.")
const tooLate = rejected("message", "The customer's last message is more than 24 hours old.", "outside_service_window")
const refused = message("Meta did not take the message.")

/**
 * What each code means, with its subcode or whatever that is (channels.md, Facebook Messenger and Instagram). Those marked (M)
 * are not in channels.md.
 */
const meanings: { readonly [codes: string]: Meaning } = {
  "1": transient, // (M)
  "2": transient, // (M)
  "3": noPermission, // (M) the app lacks the capability
  "4": throttled,
  "10": noPermission, // (M)
  "10/2018065": tooLate, // (M)
  "10/2018108": unavailable, // (M)
  "10/2018278": tooLate,
  "10/2534022": tooLate,
  "17": throttled,
  "32": throttled,
  "100/33": account("Meta does not know the Page, or hides it from the page access token."), // (M)
  "100/2018001": unknownCustomer, // (M)
  "100/2534001": recipient("The customer's conversation was deleted or archived."), // (M)
  "100/2534014": unknownCustomer, // (M)
  "190": noAccess,
  "200/1545041": unavailable, // (M)
  "200/2018028": recipient(
    "Until Meta has approved the app for pages_messaging, it writes only to people with a role in it."
  ), // (M)
  "368": account("Meta restricts this Page for breaking its policies."), // (M)
  "551": unavailable,
  "613": throttled,
  "1200": transient, // (M)
  "80001": throttled, // (M) of a Page
  "80002": throttled, // (M) of an Instagram account
  "80006": throttled
}

/** The one meaning of an error; of one that is in no list, by the status of the answer. */
export const meaningOf = (error: Omit<GraphError, "message">, status: number): Meaning => {
  const { code, isTransient, subcode } = error
  const exact = meanings[codesOf(error)]
  if (exact !== undefined) return exact
  // Under 10 Meta tells apart by subcodes why one customer is not to be written to: an unknown one must not stop all others.
  if (code === 10 && subcode !== null) return refused
  const known = meanings[String(code)]
  if (known !== undefined) return known
  if (code >= 200 && code <= 299) return noPermission
  if (status === 429) return throttled
  if (status === 401) return noAccess
  return isTransient || status >= 500 ? transient : refused
}
