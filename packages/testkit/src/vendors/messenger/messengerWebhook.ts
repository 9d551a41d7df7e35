import { createHmac } from "node:crypto"
import type { ProviderRequest } from "@parley/core"
import type { MessengerObject, MessengerPage } from "./MessengerPage.js"

/** A webhook request of Meta, signed with the app's secret. */
export const messengerWebhook = (
  { appSecret }: Pick<MessengerPage, "appSecret">,
  object: MessengerObject,
  entry: ReadonlyArray<unknown>
): ProviderRequest => {
  const body = Buffer.from(JSON.stringify({ object, entry }))
  const signature = createHmac("sha256", appSecret).update(body).digest("hex")
  return {
    method: "POST",
    path: "",
    query: {},
    headers: { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` },
    body
  }
}

/** An entry of an account: events of its conversations, and the fields of `more`. */
export const messengerEntry = (
  id: string,
  messaging: ReadonlyArray<unknown>,
  more: { readonly [field: string]: unknown } = {}
): object => ({ id, time: 1_790_000_000_500, ...(messaging.length > 0 ? { messaging } : {}), ...more })
