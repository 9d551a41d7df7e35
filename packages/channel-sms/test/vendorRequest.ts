import { createHash } from "node:crypto"
import { type ProviderRequest, webhookUrl } from "@parley/core"
import { type Account, twilioWebhook, type VendorEvent } from "@parley/testkit"

/** What customers send beyond a text, by name: the fields of Twilio. */
export const actionFields: { readonly [what: string]: { readonly [name: string]: string } } = {
  "a picture": { Body: "", NumMedia: "1", MediaUrl0: "https://api.twilio.com/x", MediaContentType0: "image/jpeg" },
  "a picture and a contact card with a text": {
    Body: "Look",
    NumMedia: "2",
    MediaUrl0: "https://api.twilio.com/x",
    MediaContentType0: "image/jpeg",
    MediaUrl1: "https://api.twilio.com/y",
    MediaContentType1: "text/vcard"
  }
}

/** The webhook's URL of a connection. */
export const urlOf = ({ connection }: Account): string => webhookUrl("https://parley.example", connection.id)

/** Twilio's request for one event; it makes one for each. */
export const vendorRequest = (account: Account, [event]: ReadonlyArray<VendorEvent>): ProviderRequest => {
  const { connection, credentials } = account
  const authToken = String(credentials?.auth_token)
  const common = { AccountSid: String(connection.config.account_sid), ApiVersion: "2010-04-01" }
  const incoming = (number: number, from: string, fields: { readonly [name: string]: string }) => {
    const sid = sidOf("SM", `${number}`)
    return twilioWebhook({ authToken }, urlOf(account), {
      ...common,
      ...{ MessageSid: sid, SmsSid: sid, SmsStatus: "received", From: from, To: connection.handle, NumMedia: "0" },
      ...{ NumSegments: "1", FromCountry: "DE" },
      ...fields
    })
  }
  switch (event?._tag) {
    case "Message":
      return incoming(event.number, event.from, { Body: event.text })
    case "Action":
      return incoming(event.number, event.from, actionFields[event.what] ?? {})
    case "Receipt": {
      const { messageId, providerMessageId: sid, status, to } = event
      return twilioWebhook({ authToken }, `${urlOf(account)}?message=${messageId}`, {
        ...common,
        ...{ MessageSid: sid, SmsSid: sid, SmsStatus: status, MessageStatus: status, From: connection.handle, To: to },
        ...(status === "failed" ? { ErrorCode: "30003" } : {})
      })
    }
    case "Unknown":
      return twilioWebhook({ authToken }, urlOf(account), {
        ...common,
        ...{ MessageSid: sidOf("SM", `${event.number}`), MessageStatus: event.what, Note: event.mark, To: event.from }
      })
    default:
      throw new Error(`Twilio has no ${event?._tag}`)
  }
}

/** The id of a text. */
export const sidOf = (prefix: string, text: string): string => prefix + createHash("md5").update(text).digest("hex")
