import { changes, expect, row, Storage, set } from "@parley/core"
import { AesSecretBox } from "@parley/node"
import { aConnection } from "@parley/testkit/rows"
import { Effect } from "effect"
import { type Store, storageOf } from "./Store.js"
import { applicationId, endpointId, secretKey, seed, workspaceId } from "./seed.js"
import { appSecret, phoneNumberId } from "./whatsappTraffic.js"

/** The connection that customers write to. */
export const whatsappConnectionId = "01900000-0000-7000-8003-000000000002"

/** The subscribers of inbound messages: none, or one endpoint for all events. */
export type Audience = "none" | { readonly webhookUrl: string }

/** The vendor, where it is called. */
export interface CalledVendor {
  readonly accessToken: string
  readonly apiUrl: string
}

/** A database with one workspace that receives messages by WhatsApp, and sends them to `vendor` (default: none). */
export const seedWhatsApp = async (store: Store, audience: Audience, vendor?: CalledVendor): Promise<void> => {
  const access_token = vendor?.accessToken ?? "never-used"
  const credentials = { access_token, app_secret: appSecret, verify_token: "never-used" }
  await seed(store, {
    verdictWaitMs: null,
    webhookUrl: audience === "none" ? "http://127.0.0.1/" : audience.webhookUrl
  })
  const connection = aConnection({
    id: whatsappConnectionId,
    workspaceId,
    provider: "whatsapp",
    config: { phone_number_id: phoneNumberId, ...(vendor === undefined ? {} : { api_url: vendor.apiUrl }) },
    credentials: AesSecretBox.make(secretKey).seal(JSON.stringify(credentials))
  })
  const connect = changes(workspaceId, {
    expects: [expect("applications", { id: applicationId }), expect("endpoints", { id: endpointId })],
    sets: [
      set("applications", { id: applicationId }, { connectionIds: [whatsappConnectionId] }),
      set("endpoints", { id: endpointId }, { status: audience === "none" ? "disabled" : "active" })
    ],
    inserts: [row("connections", connection)]
  })
  await Effect.flatMap(Storage, (storage) => storage.commit(connect)).pipe(
    Effect.provide(storageOf(store)),
    Effect.runPromise
  )
}
