import { graphMeaning } from "@parley/meta-graph"
import { type Meaning, rejection } from "@parley/provider-kit"

const account = (message: string) => rejection("connection", message)
const recipient = (message: string) => rejection("recipient", message)

const throttled: Meaning = { kind: "throttled" }
const transient: Meaning = { kind: "transient" }

const noPermission = account("The page access token may not send for this Page.")
const noAccess = account("The page access token is not valid, or has expired.")
const unavailable = recipient("The customer does not take messages from this business now, or is not there any more.")
const unknownCustomer = recipient("Meta knows no such customer of this Page.")
const tooLate = rejection("message", "The customer's last message is more than 24 hours old.", {
  code: "outside_service_window"
})
const refused = "Meta did not take the message."

/** The meaning of each error code, with a subcode or `*` for any subcode (docs/reference/messenger.md#error-codes). */
const meanings: { readonly [codes: string]: Meaning } = {
  "1": transient,
  "2": transient,
  "3": noPermission, // the app lacks the capability
  "4": throttled,
  "10": noPermission,
  // Codes 10 and 200 have a subcode for each reason why one customer cannot be sent to. An unknown subcode must not
  // stop all other messages.
  "10/*": rejection("message", refused),
  "10/2018065": tooLate,
  "10/2018108": unavailable,
  "10/2018278": tooLate,
  "10/2534022": tooLate,
  "17": throttled,
  "32": throttled,
  "100/33": account("Meta does not know the Page, or hides it from the page access token."),
  "100/2018001": unknownCustomer,
  "100/2534001": recipient("The customer's conversation was deleted or archived."),
  "100/2534014": unknownCustomer,
  "190": noAccess,
  "200": noPermission, // also 201 to 299
  "200/*": rejection("message", refused),
  "200/1545041": unavailable,
  "200/2018028": recipient(
    "Until Meta has approved the app for pages_messaging, it writes only to people with a role in it."
  ),
  "368": account("Meta restricts this Page for breaking its policies."),
  "551": unavailable,
  "613": throttled,
  "1200": transient,
  "80001": throttled, // of a Page
  "80002": throttled, // of an Instagram account
  "80006": throttled,
  "1545041": tooLate
}

/** The meaning of an error. An unlisted code is classified by the HTTP status. */
export const meaningOf = graphMeaning({ meanings, noAccess, refused })
