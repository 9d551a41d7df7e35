import { type Changes, changes, hashOf, row, Storage, scopes } from "@parley/core"
import { AesSecretBox, SecretKey } from "@parley/node"
import {
  aConnection,
  aContact,
  aConversation,
  anAddress,
  anApiKey,
  anApplication,
  anEndpoint,
  aTemplate,
  aWorkspace
} from "@parley/testkit/rows"
import { Effect, Either } from "effect"
import { type Store, storageOf } from "./Store.js"
import { handleOf, knownContacts, templateBody } from "./traffic.js"

/** The bearer token of every database. */
export const apiKey = "parley_test_0123456789abcdefghijklmnopqrstuv"

/** The key of the sealed signing secret; for `PARLEY_SECRET_KEY`. */
export const secretKeyText = Buffer.alloc(32, 7).toString("base64")
export const secretKey: SecretKey.SecretKey = Either.getOrThrow(SecretKey.parse(secretKeyText, "secretKeyText"))

const id = (kind: number, n: number) =>
  `01900000-0000-7000-80${String(kind).padStart(2, "0")}-${n.toString(16).padStart(12, "0")}`

export const workspaceId = id(1, 1)
export const applicationId = id(2, 1)
export const connectionId = id(3, 1)
export const endpointId = id(4, 1)
export const contactIdOf = (n: number): string => id(5, n)
export const conversationIdOf = (n: number): string => id(6, n)

/** The differences between the databases of benchmarks. */
export interface Seed {
  /** Verdict wait of the connection in ms; null for the engine's default. */
  readonly verdictWaitMs: number | null
  /** URL of the subscribed endpoint. */
  readonly webhookUrl: string
}

/** A limit that is never reached. */
const unlimited = 1_000_000_000

const configuration = ({ verdictWaitMs, webhookUrl }: Seed): Changes =>
  changes(workspaceId, {
    claims: [
      row("apiKeys", anApiKey({ id: id(7, 1), workspaceId, applicationId, hash: hashOf(apiKey) })),
      row(
        "templates",
        aTemplate({ id: id(8, 1), workspaceId, channel: "whatsapp", name: "order_shipped", body: templateBody })
      )
    ],
    inserts: [
      row("workspaces", aWorkspace({ id: workspaceId })),
      row(
        "applications",
        anApplication({
          id: applicationId,
          workspaceId,
          scopes,
          connectionIds: [connectionId],
          requestsPerMinute: unlimited,
          sendsPerMinute: unlimited
        })
      ),
      row(
        "connections",
        aConnection({
          id: connectionId,
          workspaceId,
          config: verdictWaitMs === null ? {} : { verdict_wait_ms: verdictWaitMs }
        })
      ),
      row(
        "endpoints",
        anEndpoint({
          id: endpointId,
          workspaceId,
          applicationId,
          url: webhookUrl,
          secret: AesSecretBox.make(secretKey).seal("whsec_0123456789abcdefghijklmnopqrstuv")
        })
      )
    ]
  })

const contact = (n: number): Changes => {
  const handle = handleOf(n)
  const contactId = contactIdOf(n)
  return changes(workspaceId, {
    claims: [
      row("addresses", anAddress({ workspaceId, handle, contactId })),
      row("conversations", aConversation({ id: conversationIdOf(n), workspaceId, connectionId, handle, contactId }))
    ],
    inserts: [
      row(
        "contacts",
        aContact({
          id: contactId,
          workspaceId,
          phone: handle,
          identities: [{ channel: "whatsapp", handle, displayName: null }],
          searchKey: `ada byron ${handle}`
        })
      )
    ]
  })
}

/** Migrates an empty database and inserts a workspace that can send. */
export const seed = (store: Store, given: Seed): Promise<void> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    yield* storage.commit(configuration(given))
    const numbers = Array.from({ length: knownContacts }, (_, n) => n)
    yield* Effect.forEach(numbers, (n) => storage.commit(contact(n)), { concurrency: 200, discard: true })
  }).pipe(Effect.provide(storageOf(store)), Effect.runPromise)
