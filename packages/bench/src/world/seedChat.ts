import { changes, expect, row, Storage } from "@parley/core"
import { AesSecretBox } from "@parley/node"
import { aConnection } from "@parley/testkit/rows"
import { Effect } from "effect"
import { type Store, storageOf } from "./Store.js"
import { applicationId, secretKey, seed, workspaceId } from "./seed.js"

/** The connection of the web chat. */
export const chatConnectionId = "01900000-0000-7000-8003-000000000003"

/** A database with one workspace that has a web chat. */
export const seedChat = async (store: Store, webhookUrl = "http://127.0.0.1/"): Promise<void> => {
  await seed(store, { verdictWaitMs: null, webhookUrl })
  const connection = aConnection({
    id: chatConnectionId,
    workspaceId,
    channel: "webchat",
    provider: "webchat",
    handle: "shop.example",
    config: {},
    credentials: AesSecretBox.make(secretKey).seal(JSON.stringify({ visitor_secret: "v".repeat(32) }))
  })
  const connect = changes(workspaceId, {
    expects: [expect("applications", { id: applicationId })],
    inserts: [row("connections", connection)]
  })
  await Effect.flatMap(Storage, (storage) => storage.commit(connect)).pipe(
    Effect.provide(storageOf(store)),
    Effect.runPromise
  )
}
