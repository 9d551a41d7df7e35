import { graphMeaning } from "@parley/meta-graph"
import { type Meaning, rejection } from "@parley/provider-kit"

const account = (message: string) => rejection("connection", message)
const recipient = (message: string) => rejection("recipient", message)
const message = (message: string) => rejection("message", message)
const template = (message: string) => rejection("template", message)
const unsendable = (message: string) => rejection("template", message, { code: "template_not_approved" })

const connectionThrottled: Meaning = { kind: "throttled", scope: "connection" }
const transient: Meaning = { kind: "transient" }

const noPermission = account("The access token may not send for this number.")
const noAccess = account("The access token is not valid, or has expired.")
const restricted = account("WhatsApp restricts this account for breaking its policies.")

/** The meaning of each error code (docs/reference/whatsapp.md#error-codes). */
const meanings: { readonly [codes: string]: Meaning } = {
  0: noAccess,
  1: transient,
  2: transient,
  3: noPermission, // the app lacks the capability
  4: connectionThrottled,
  10: noPermission,
  33: account("WhatsApp does not have this number any more."),
  "100/33": account("WhatsApp does not know the number, or hides it from the access token."),
  190: noAccess,
  200: noPermission, // also 201 to 299
  368: restricted,
  80007: connectionThrottled,
  130429: connectionThrottled,
  130472: recipient("WhatsApp keeps marketing messages from this customer, as part of an experiment of its own."),
  130497: recipient("WhatsApp does not let this business write to the customer's country."),
  131000: transient,
  131005: noPermission,
  131016: transient,
  131021: recipient("The customer's number is the business's own."),
  131026: recipient("The number has no WhatsApp, or an old one that does not take business messages."),
  131030: recipient("A test number writes only to numbers that are on its list at Meta."),
  131031: restricted,
  131037: account("WhatsApp has not approved the number's display name."),
  131042: account("WhatsApp cannot bill the account: its payment method needs attention."),
  131045: account("The number is not registered for the Cloud API."),
  131047: rejection("message", "The customer's last message is more than 24 hours old.", {
    code: "outside_service_window"
  }),
  131048: connectionThrottled, // customers blocked too many of its messages
  131049: recipient("The customer has had enough marketing messages for now; not again within 24 hours."),
  131050: rejection("recipient", "The customer wants no marketing messages from this business.", {
    optOut: "marketing"
  }),
  131051: message("WhatsApp does not take this type of message."),
  131052: message("WhatsApp could not fetch the message's file."),
  131053: message("WhatsApp does not take the message's file."),
  131056: { kind: "throttled", scope: "recipient" },
  131057: connectionThrottled, // maintenance, such as a change of throughput: the message was certainly not sent
  132000: template("The number of variables is not that of the template at WhatsApp."),
  132001: unsendable("WhatsApp does not have this template in this language."),
  132005: template("The text is too long with the variables filled in."),
  132007: unsendable("The template breaks a policy of WhatsApp's."),
  132012: template("A variable is not of the form that the template wants."),
  132015: unsendable("WhatsApp has paused the template for its quality."),
  132016: unsendable("WhatsApp has disabled the template for its quality."),
  132018: message("A variable has line breaks, tabs or many spaces, which WhatsApp does not take."),
  133010: account("The number is not registered for the Cloud API.")
}

/** The meaning of an error. An unlisted code is classified by the HTTP status (null: the error came in a receipt). */
export const meaningOf = graphMeaning({
  meanings,
  noAccess,
  refused: "WhatsApp did not take the message."
})
