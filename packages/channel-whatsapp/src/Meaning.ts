import type { ErrorCode, SendOutcome } from "@parley/core"
import type { GraphError } from "./GraphError.js"

type Rejected = Extract<SendOutcome, { readonly _tag: "Rejected" }>
type Throttled = Extract<SendOutcome, { readonly _tag: "Throttled" }>

/** What an error of Meta's means for a message, whether it comes at once or later in a status. */
export type Meaning =
  | (Pick<Rejected, "scope" | "code" | "optOut"> & {
      readonly kind: "rejected"
      /** In our own words. */
      readonly words: string
    })
  | { readonly kind: "throttled"; readonly scope: NonNullable<Throttled["scope"]> }
  | { readonly kind: "transient" }

const rejected = (
  scope: Rejected["scope"],
  words: string,
  more: { readonly code?: ErrorCode; readonly optOut?: "marketing" } = {}
): Meaning => ({ kind: "rejected", scope, code: "provider_error", words, ...more })

const account = (words: string): Meaning => rejected("connection", words)
const recipient = (words: string): Meaning => rejected("recipient", words)
const message = (words: string): Meaning => rejected("message", words)
const template = (words: string): Meaning => rejected("template", words)
const unsendable = (words: string): Meaning => rejected("template", words, { code: "template_not_approved" })

const connectionThrottled: Meaning = { kind: "throttled", scope: "connection" }
const transient: Meaning = { kind: "transient" }

const noPermission = account("The access token may not send for this number.")
const noAccess = account("The access token is not valid, or has expired.")
const noSuchNumber = account("WhatsApp does not know the number, or hides it from the access token.")
const restricted = account("WhatsApp restricts this account for breaking its policies.")

/** What each code means (channels.md, WhatsApp Cloud API). Those marked (M) are not in channels.md. */
const meanings: { readonly [code: number]: Meaning } = {
  0: noAccess,
  1: transient,
  2: transient,
  3: noPermission, // (M) the app lacks the capability
  4: connectionThrottled,
  10: noPermission,
  33: account("WhatsApp does not have this number any more."), // (M)
  190: noAccess,
  368: restricted,
  80007: connectionThrottled,
  130429: connectionThrottled,
  130472: recipient("WhatsApp keeps marketing messages from this customer, as part of an experiment of its own."), // (M)
  130497: recipient("WhatsApp does not let this business write to the customer's country."), // (M)
  131000: transient,
  131005: noPermission, // (M)
  131016: transient,
  131021: recipient("The customer's number is the business's own."),
  131026: recipient("The number has no WhatsApp, or an old one that does not take business messages."),
  131030: recipient("A test number writes only to numbers that are on its list at Meta."),
  131031: restricted,
  131037: account("WhatsApp has not approved the number's display name."), // (M)
  131042: account("WhatsApp cannot bill the account: its payment method needs attention."),
  131045: account("The number is not registered for the Cloud API."), // (M)
  131047: rejected("message", "The customer's last message is more than 24 hours old.", {
    code: "outside_service_window"
  }),
  131048: connectionThrottled, // (M) too many of its messages were blocked by customers
  131049: recipient("The customer has had enough marketing messages for now; not again within 24 hours."),
  131050: rejected("recipient", "The customer wants no marketing messages from this business.", {
    optOut: "marketing"
  }),
  131051: message("WhatsApp does not take this type of message."), // (M)
  131052: message("WhatsApp could not fetch the message's file."),
  131053: message("WhatsApp does not take the message's file."),
  131056: { kind: "throttled", scope: "recipient" },
  131057: connectionThrottled, // (M) maintenance, such as a change of throughput: certain not to have gone out
  132000: template("The number of variables is not that of the template at WhatsApp."),
  132001: unsendable("WhatsApp does not have this template in this language."),
  132005: template("The text is too long with the variables filled in."), // (M)
  132007: unsendable("The template breaks a policy of WhatsApp's."),
  132012: template("A variable is not of the form that the template wants."), // (M)
  132015: unsendable("WhatsApp has paused the template for its quality."),
  132016: unsendable("WhatsApp has disabled the template for its quality."), // (M)
  132018: message("A variable has line breaks, tabs or many spaces, which WhatsApp does not take."), // (M)
  133010: account("The number is not registered for the Cloud API.") // (M)
}

/** Meta's subcode of 100 for an object that does not exist or that the token may not use: the phone number ID. */
const noSuchObject = 33

/** The one meaning of an error; of one that is in no list, by the status of the answer (null: it came in a receipt). */
export const meaningOf = ({ code, isTransient, subcode }: ErrorCodes, status: number | null): Meaning => {
  const known = meanings[code]
  if (known !== undefined) return known
  if (code >= 200 && code <= 299) return noPermission
  if (code === 100 && subcode === noSuchObject) return noSuchNumber
  if (status === 429) return connectionThrottled
  if (status === 401) return noAccess
  return isTransient || (status !== null && status >= 500) ? transient : message("WhatsApp did not take the message.")
}

type ErrorCodes = Pick<GraphError, "code" | "subcode" | "isTransient">
