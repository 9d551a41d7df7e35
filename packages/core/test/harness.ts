import { LogNotifier, MemoryBlobs, UuidIds } from "@parley/node"
import {
  aConnection,
  anApiKey,
  anApplication,
  anEndpoint,
  aTemplate,
  aWorkspace,
  channelsNamed
} from "@parley/testkit/rows"
import { plainSecretBox } from "@parley/testkit/services"
import { Context, Effect, Either, Layer, Ref, Schema } from "effect"
import * as Engine from "../src/Engine.js"
import { layer as engineSettings } from "../src/kernel/EngineSettings.js"
import type { Event } from "../src/model/Event.js"
import { scopes } from "../src/model/Scope.js"
import { changes, row } from "../src/ports/Changes.js"
import {
  type ChannelProvider,
  ChannelProviders,
  type FetchedFile,
  FileGone,
  type OutboundMessage,
  type ProviderUnavailable,
  SendOutcome
} from "../src/ports/ChannelProvider.js"
import { allowAll } from "../src/ports/Entitlements.js"
import { HttpSender, type OutboundRequest, type OutboundResult } from "../src/ports/HttpSender.js"
import { Ids } from "../src/ports/Ids.js"
import { Storage } from "../src/ports/Storage.js"
import type { Wakeup } from "../src/ports/Wakeup.js"
import { Access } from "../src/resources/access/Access.js"
import { hashOf } from "../src/resources/access/Credential.js"
import { fingerprint } from "../src/resources/access/fingerprint.js"
import { channelProviders } from "../src/resources/channels/channelProviders.js"
import { Messages } from "../src/resources/messages/Messages.js"
import { decodeSendMessageInput } from "../src/resources/messages/SendMessageInput.js"

/** The scripted provider: its outcome for each message, and the messages handed to it. */
export class Provider extends Context.Tag("test/Provider")<
  Provider,
  {
    readonly answer: Ref.Ref<(message: OutboundMessage) => Effect.Effect<SendOutcome>>
    readonly handed: Ref.Ref<ReadonlyArray<OutboundMessage>>
  }
>() {}

/** The webhook receivers: their response, and the requests received. */
export class Receiver extends Context.Tag("test/Receiver")<
  Receiver,
  {
    readonly answer: Ref.Ref<(request: OutboundRequest) => Effect.Effect<OutboundResult>>
    readonly got: Ref.Ref<ReadonlyArray<OutboundRequest>>
    /** What a GET answers. Default: 404. */
    readonly file: Ref.Ref<(url: string) => Effect.Effect<FetchedFile, FileGone | ProviderUnavailable>>
  }
>() {}

export const accept = (message: OutboundMessage): Effect.Effect<SendOutcome> =>
  Effect.succeed(SendOutcome.Accepted({ providerMessageId: `p-${message.id}`, receipts: [] }))
export const answerOk = (): Effect.Effect<OutboundResult> =>
  Effect.succeed({ _tag: "Answered", status: 200, body: "ok" })

const scripted = Layer.effect(
  Provider,
  Effect.all({
    answer: Ref.make<(message: OutboundMessage) => Effect.Effect<SendOutcome>>(accept),
    handed: Ref.make<ReadonlyArray<OutboundMessage>>([])
  })
)
const receiver = Layer.effect(
  Receiver,
  Effect.all({
    answer: Ref.make<(request: OutboundRequest) => Effect.Effect<OutboundResult>>(answerOk),
    got: Ref.make<ReadonlyArray<OutboundRequest>>([]),
    file: Ref.make<(url: string) => Effect.Effect<FetchedFile, FileGone | ProviderUnavailable>>(
      () => new FileGone({ reason: "its URL answered 404" })
    )
  })
)

/** A provider without `send`. */
export const scriptedProvider: Omit<ChannelProvider, "send"> = {
  kind: "scripted",
  channels: channelsNamed("whatsapp", "email"),
  config: Schema.Unknown,
  credentials: Schema.Unknown,
  capabilities: ({ config }) => ({
    textMaxLength: 4096,
    templates: true,
    deliveryReceipts: config.receipts !== false,
    readReceipts: config.receipts !== false,
    serviceWindowHours: null,
    types: ["text", "template", "media"],
    files: { count: 3, bytes: 20, bytesByType: { audio: 10 } }
  }),
  parseHandle: (_, handle) => Either.right(handle),
  dedupes: true
}

const providers = Layer.effect(
  ChannelProviders,
  Effect.map(Provider, ({ answer, handed }) => {
    const provider: ChannelProvider = {
      ...scriptedProvider,
      send: (_connection, _credentials, message) =>
        Ref.update(handed, (before) => [...before, message]).pipe(
          Effect.zipRight(Ref.get(answer)),
          Effect.flatMap((script) => script(message))
        )
    }
    // Supports watermark receipts.
    const marking: ChannelProvider = { ...provider, kind: "marking", watermarks: true }
    const repeating: ChannelProvider = { ...provider, kind: "repeating", dedupes: false }
    // Declares channels of its own.
    const declaring: ChannelProvider = {
      ...provider,
      kind: "declaring",
      channels: [
        { name: "sms", identity: "phone" },
        { name: "kiosk", identity: null }
      ]
    }
    const choosing: ChannelProvider = {
      ...provider,
      kind: "choosing",
      capabilities: (connection) => ({
        ...provider.capabilities(connection),
        types: ["text", "choices"],
        choices: { options: 2, titleLength: 10, idLength: 10, descriptionLength: 0 },
        quotes: true
      })
    }
    return channelProviders([provider, marking, repeating, declaring, choosing])
  })
)
const sender = Layer.effect(
  HttpSender,
  Effect.map(Receiver, ({ answer, file, got }) => ({
    refusal: () => null,
    get: (url) => Effect.flatMap(Ref.get(file), (open) => open(url)),
    post: (request) =>
      Ref.update(got, (before) => [...before, request]).pipe(
        Effect.zipRight(Ref.get(answer)),
        Effect.flatMap((script) => script(request))
      )
  }))
)

/** An engine over this storage with a scripted provider and scripted receivers; `verdictWait` in ms. */
export const engine = <E>(
  storage: Layer.Layer<Storage | Wakeup, E>,
  verdictWait = 0,
  settings: Parameters<typeof engineSettings>[0] = {}
) =>
  Engine.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(providers, sender)),
    Layer.provideMerge(
      Layer.mergeAll(
        storage,
        UuidIds.layer,
        LogNotifier.layer,
        allowAll,
        plainSecretBox,
        MemoryBlobs.layer,
        engineSettings({ verdictWait, ...settings }),
        scripted,
        receiver
      )
    )
  )

/** Inserts a workspace with an application, a connection, a template, an endpoint and an API key. */
export const newTenant = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const next = () => ids.next(1_700_000_000_000)
  const workspace = aWorkspace({ id: next() })
  const connection = aConnection({
    id: next(),
    workspaceId: workspace.id,
    channel: "whatsapp",
    provider: "scripted",
    isTest: true,
    status: "active",
    config: {}
  })
  const application = anApplication({
    id: next(),
    workspaceId: workspace.id,
    mode: "test",
    scopes,
    connectionIds: [connection.id],
    requestsPerMinute: 10_000,
    sendsPerMinute: 10_000
  })
  const endpoint = anEndpoint({
    id: next(),
    workspaceId: workspace.id,
    applicationId: application.id,
    events: ["message.queued", "message.sent", "message.delivered", "message.read", "message.failed"],
    secret: "whsec_test",
    url: `https://${next()}.example.org/`
  })
  const template = aTemplate({
    id: next(),
    workspaceId: workspace.id,
    channel: "whatsapp",
    name: "hello",
    language: "en",
    body: "Hi {{1}}",
    status: "approved"
  })
  const key = ids.secret(32)
  const apiKey = anApiKey({ id: next(), workspaceId: workspace.id, applicationId: application.id, hash: hashOf(key) })
  yield* storage.commit(
    changes(workspace.id, {
      claims: [row("apiKeys", apiKey), row("templates", template)],
      inserts: [
        row("workspaces", workspace),
        row("applications", application),
        row("connections", connection),
        row("endpoints", endpoint)
      ]
    })
  )
  return {
    workspace,
    connection,
    application,
    endpoint,
    key,
    apiKey,
    caller: yield* (yield* Access).authenticate(key, "write")
  }
})
export type Tenant = Effect.Effect.Success<typeof newTenant>

/** Sends a text as the tenant's application. Returns the response with the message id. */
export const send = (tenant: Tenant, to: string, key: string, body = "hello") =>
  Effect.gen(function* () {
    const messages = yield* Messages
    const json = { channel: "whatsapp", to, type: "text", external_reference: key, message: { body } }
    const answer = yield* messages.send(tenant.caller, {
      decoded: decodeSendMessageInput(json),
      idempotency: { key, fingerprint: fingerprint("POST", "/messages", json) },
      requestId: "request"
    })
    return { ...answer, id: JSON.parse(answer.body).data.message_id as string }
  })

/** Polls until the condition holds or the test times out. */
export const eventually = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  holds: (value: A) => boolean
): Effect.Effect<A, E, R> =>
  Effect.flatMap(effect, (value) =>
    holds(value) ? Effect.succeed(value) : Effect.zipRight(Effect.sleep(10), eventually(effect, holds))
  )

/** The webhooks received at a URL, in order of arrival, with the parsed event. */
export const received = (url: string) =>
  Effect.flatMap(Receiver, ({ got }) =>
    Effect.map(Ref.get(got), (all) =>
      all
        .filter((request) => request.url === url)
        .map((request) => ({ ...request, event: JSON.parse(request.body) as Event }))
    )
  )
