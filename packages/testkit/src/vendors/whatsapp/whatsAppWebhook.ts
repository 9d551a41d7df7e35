import { createHmac } from "node:crypto"
import type { ProviderRequest } from "@parley/core"
import type { WhatsAppBusiness } from "./WhatsAppBusiness.js"

/** A webhook request of Meta, signed with the app's secret. */
export const whatsAppWebhook = (
  { appSecret }: Pick<WhatsAppBusiness, "appSecret">,
  entry: ReadonlyArray<unknown>
): ProviderRequest => {
  const body = Buffer.from(JSON.stringify({ object: "whatsapp_business_account", entry }))
  const signature = createHmac("sha256", appSecret).update(body).digest("hex")
  return {
    method: "POST",
    path: "",
    query: {},
    headers: { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` },
    body
  }
}

/** An entry of a business account. */
export const whatsAppEntry = (
  { businessAccountId }: Pick<WhatsAppBusiness, "businessAccountId">,
  changes: ReadonlyArray<unknown>
): object => ({ id: businessAccountId, changes })

/** A change of a number: messages of customers, statuses of sent messages, or the fields of `more`. */
export const whatsAppChange = (
  { displayNumber, phoneNumberId }: Pick<WhatsAppBusiness, "displayNumber" | "phoneNumberId">,
  value: { readonly [field: string]: unknown },
  field = "messages"
): object => ({
  field,
  value: {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: displayNumber.replace(/\D/g, ""), phone_number_id: phoneNumberId },
    ...value
  }
})

/** Meta's verification of a webhook URL. */
export const whatsAppChallenge = (
  verifyToken: string,
  challenge = "1158201444",
  mode = "subscribe"
): ProviderRequest => ({
  method: "GET",
  path: "",
  query: { "hub.mode": mode, "hub.verify_token": verifyToken, "hub.challenge": challenge },
  headers: {},
  body: new Uint8Array()
})
