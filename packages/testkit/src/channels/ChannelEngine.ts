import assert from "node:assert/strict"
import {
  allowAll,
  Blobs,
  BlobsUnavailable,
  type ChannelProvider,
  ChannelProviders,
  changes,
  channelOf,
  channelProviders,
  decodeSendMessageInput,
  Engine,
  engineSettings,
  fingerprint,
  HttpSender,
  type IdentityChannel,
  lookup,
  type Message,
  Messages,
  Notifier,
  type OutboundMessage,
  ProviderHooks,
  type ProviderRequest,
  readById,
  row,
  type SendOutcome,
  Storage,
  scopes
} from "@parley/core"
import { Cause, Effect, Layer, Option, Ref, type Scope } from "effect"
import { migratedSqlite } from "../migratedSqlite.js"
import { plainSecretBox } from "../plainSecretBox.js"
import { aConnection, anApplication, aWorkspace } from "../rows.js"
import { testIds } from "../testIdsLayer.js"
import type { Account } from "./ChannelFixture.js"

/** Runs between the vendor's response and the engine's receipt of it. */
export type Interlude = (outcome: SendOutcome, message: OutboundMessage) => Effect.Effect<SendOutcome, unknown>

/** An in-memory engine with one connection. */
export interface ChannelEngine {
  /** Makes a request to the connection; dies unless the response is a 2xx. */
  readonly call: (request: ProviderRequest) => Effect.Effect<void>
  /** Accepts a text to a handle; returns the message's id before the provider has the message. */
  readonly send: (to: string, interlude?: Interlude) => Effect.Effect<string>
  /** Accepts a question with options of these ids and their {@link titleOf}; returns the message's id. */
  readonly ask: (to: string, options: ReadonlyArray<string>) => Effect.Effect<string>
  readonly message: (id: string) => Effect.Effect<Message>
  /** The message once the provider accepted or rejected it. */
  readonly settled: (id: string) => Effect.Effect<Message>
  /** The inbound messages of a handle. */
  readonly inbound: (handle: string) => Effect.Effect<ReadonlyArray<Message>>
  /** The outbound messages of a handle. */
  readonly outbound: (handle: string) => Effect.Effect<ReadonlyArray<Message>>
}

/** The title of an option with this id: short enough for every channel. */
export const titleOf = (id: string): string => id.slice(0, 20)

/** How long a case waits for a message, in ms: less than the timeout of a case. */
const settledTimeout = 30_000

/** An engine with this provider and account; stopped with the scope. */
export const channelEngine = (
  provider: ChannelProvider,
  account: Account
): Effect.Effect<ChannelEngine, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const interlude = yield* Ref.make<Interlude>(Effect.succeed)
    const interrupted: ChannelProvider = {
      ...provider,
      send: (connection, credentials, message, now) =>
        Effect.flatMap(provider.send(connection, credentials, message, now), (outcome) =>
          Effect.flatMap(Ref.get(interlude), (play) => Effect.orDie(play(outcome, message)))
        )
    }
    const context = yield* Layer.build(
      Engine.worker.pipe(Layer.provideMerge(Engine.layer), Layer.provideMerge(ports(interrupted)))
    )
    const { identity } = channelOf(provider.channels, account.connection.channel)
    return yield* Effect.provide(peopled(account, identity, interlude), context)
  })

/** The ports of a host, without webhook deliveries and file storage. */
const ports = (provider: ChannelProvider) =>
  Layer.mergeAll(
    migratedSqlite,
    testIds,
    plainSecretBox,
    allowAll,
    engineSettings({ verdictWait: 0 }),
    Layer.succeed(ChannelProviders, channelProviders([provider])),
    Layer.succeed(Notifier, { notify: () => Effect.void }),
    Layer.succeed(HttpSender, {
      refusal: () => null,
      post: () => Effect.succeed({ _tag: "NotAnswered", error: "unreachable" } as const)
    }),
    Layer.succeed(Blobs, {
      // Files that a mail has within it are taken, those at the vendor are not fetched.
      put: (_, bytes) =>
        bytes instanceof Uint8Array
          ? Effect.succeed(bytes.length)
          : Effect.fail(new BlobsUnavailable({ reason: "no file is kept" })),
      get: () => Effect.succeed(Option.none()),
      remove: () => Effect.void
    })
  )

const peopled = (account: Account, identity: IdentityChannel | null, interlude: Ref.Ref<Interlude>) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const messages = yield* Messages
    const hooks = yield* ProviderHooks
    const workspace = aWorkspace()
    const connection = aConnection({
      ...account.connection,
      workspaceId: workspace.id,
      isTest: true,
      credentials: account.credentials && JSON.stringify(account.credentials)
    })
    const application = anApplication({
      workspaceId: workspace.id,
      connectionIds: [connection.id],
      sendsPerMinute: 10_000
    })
    yield* storage.commit(
      changes(workspace.id, {
        inserts: [row("workspaces", workspace), row("connections", connection), row("applications", application)]
      })
    )
    const message: ChannelEngine["message"] = (id) =>
      Effect.orDie(
        Effect.map(readById(storage, "messages", id), (found) => {
          assert.ok(found, "the message is gone")
          return found
        })
      )
    const settled: ChannelEngine["settled"] = (id) =>
      message(id).pipe(
        Effect.delay(5),
        Effect.repeat({ until: ({ status }) => status !== "queued" }),
        Effect.timeoutFailCause({
          duration: settledTimeout,
          onTimeout: () =>
            Cause.die(
              new Error(
                `the message is still queued after ${settledTimeout / 1_000} s. Its send did not end as Accepted or Rejected (the engine logs why), or no receipt of it was reported.`
              )
            )
        })
      )

    const conversationsOf = (handle: string) =>
      Effect.map(
        storage.read({ conversations: lookup("conversations", { connectionId: connection.id, handle }) }),
        ({ conversations }) => conversations
      )
    const messagesOf = (direction: Message["direction"]) => (handle: string) =>
      Effect.gen(function* () {
        const conversations = yield* conversationsOf(handle)
        const written = yield* Effect.forEach(conversations, ({ id }) =>
          storage.read({ messages: lookup("messages", { conversationId: id, direction }) })
        )
        return written.flatMap(({ messages }) => messages)
      }).pipe(Effect.orDie)

    const post = (to: string, type: string, message: object) =>
      Effect.gen(function* () {
        const key = yield* Effect.sync(() => crypto.randomUUID())
        // On channels whose handles are no identities, sends name the conversation.
        const [conversation] = identity === null ? yield* conversationsOf(to) : []
        const json = { channel: connection.channel, to: conversation?.id ?? to, type, message }
        const { body } = yield* messages.send(
          { application, workspace, scopes, credentialId: key },
          {
            decoded: decodeSendMessageInput(json),
            idempotency: { key, fingerprint: fingerprint("POST", "/messages", json) },
            requestId: key
          }
        )
        const { data } = JSON.parse(body) as { readonly data: { readonly message_id: string } }
        return data.message_id
      }).pipe(Effect.orDie)

    const engine: ChannelEngine = {
      call: (request) =>
        Effect.gen(function* () {
          const hook = yield* hooks.at(connection.id, request.path)
          const { body, status } = yield* hook.answer(request)
          assert.ok(status >= 200 && status < 300, `answered with ${status}: ${body}`)
        }).pipe(Effect.orDie),
      send: (to, play = Effect.succeed) =>
        Effect.zipRight(Ref.set(interlude, play), post(to, "text", { body: "Your order is ready." })),
      ask: (to, options) => {
        const content = { options: options.map((id) => ({ id, title: titleOf(id) })) }
        return post(to, "choices", { body: "Which one?", content })
      },
      message,
      settled,
      inbound: messagesOf("inbound"),
      outbound: messagesOf("outbound")
    }
    return engine
  })
