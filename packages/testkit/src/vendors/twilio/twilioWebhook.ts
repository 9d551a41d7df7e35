import { createHmac } from "node:crypto"
import type { ProviderRequest } from "@parley/core"
import type { TwilioAccount } from "./TwilioAccount.js"

/**
 * A request of Twilio to `url`, signed: base64 of HMAC-SHA1 over the URL and the fields by name
 * (docs/reference/sms.md#signature).
 */
export const twilioWebhook = (
  { authToken }: Pick<TwilioAccount, "authToken">,
  url: string,
  fields: { readonly [name: string]: string }
): ProviderRequest => {
  const { origin, pathname, searchParams } = new URL(url)
  const signed = Object.keys(fields)
    .sort()
    .reduce((text, name) => text + name + fields[name], url)
  return {
    method: "POST",
    path: "",
    query: Object.fromEntries(searchParams),
    headers: {
      "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
      "x-twilio-signature": createHmac("sha1", authToken).update(signed).digest("base64")
    },
    body: new TextEncoder().encode(new URLSearchParams(fields).toString()),
    webhookUrl: origin + pathname
  }
}
