import { randomUUID } from "node:crypto"
import type { AddressInfo } from "node:net"
import { SandboxProvider } from "@parley/channel-sandbox"
import {
  type Application,
  allowAll,
  type ChannelProvider,
  ChannelProviders,
  changes,
  channelProviders,
  Engine,
  engineSettings,
  expect,
  HttpSender,
  hashOf,
  Ids,
  ProviderUnavailable,
  type RowOf,
  row,
  Storage,
  scopes,
  set,
  type TableName,
  type Wakeup
} from "@parley/core"
import { LogNotifier, MemoryBlobs, UuidIds } from "@parley/node"
import { aConnection, anApiKey, anApplication, aWorkspace, someTime } from "@parley/testkit/rows"
import { plainSecretBox } from "@parley/testkit/services"
import { Context, Effect, Layer } from "effect"
import { makeInterpreter, nodeServer, publicModule } from "../../src/index.js"

/** A real server of the public interface with the engine on a database. */
export class Api extends Context.Tag("test/Api")<
  Api,
  {
    readonly base: string
    /** `path` is relative to `/api/v1`, or a whole URL from a link. */
    readonly call: (key: string, method: string, path: string, body?: object) => Effect.Effect<Answered>
  }
>() {}

export interface Answered {
  readonly status: number
  readonly json: any
}

export const serveReads = <E>(storage: Layer.Layer<Storage | Wakeup, E>) =>
  Layer.scoped(
    Api,
    Effect.gen(function* () {
      const server = yield* Effect.flatMap(makeInterpreter({ modules: [yield* publicModule] }), nodeServer)
      yield* Effect.acquireRelease(
        Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () =>
          Effect.async<void>((resume) => {
            server.close(() => resume(Effect.void))
            server.closeAllConnections()
          })
      )
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      return { base, call: callTo(base) }
    })
  ).pipe(Layer.provideMerge(Engine.layer), Layer.provideMerge(Layer.mergeAll(storage, ports)))

/** Shows that the business types, unless the customer's last message has the id `lost`. It has no read marks. */
const signalling: ChannelProvider = {
  ...SandboxProvider,
  kind: "signalling",
  capabilities: (connection) => ({ ...SandboxProvider.capabilities(connection), typing: true }),
  signal: (_connection, _credentials, { lastMessageId }) =>
    lastMessageId === "lost" ? new ProviderUnavailable({ reason: "no answer" }) : Effect.void
}

const ports = Layer.mergeAll(
  UuidIds.layer,
  LogNotifier.layer,
  MemoryBlobs.layer,
  allowAll,
  engineSettings({ verdictWait: 0 }),
  Layer.succeed(ChannelProviders, channelProviders([SandboxProvider, signalling])),
  plainSecretBox,
  Layer.succeed(HttpSender, {
    refusal: () => null,
    post: () => Effect.succeed({ _tag: "Answered", status: 200, body: "" })
  })
)

const callTo =
  (base: string) =>
  (key: string, method: string, path: string, body?: object): Effect.Effect<Answered> =>
    Effect.promise(async () => {
      const response = await fetch(path.startsWith("http") ? path : `${base}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { "content-type": "application/json", "idempotency-key": randomUUID() })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: response.status, json: await response.json() }
    })

/** Writes rows of a workspace unchanged. */
export const write = (workspaceId: string, rows: ReadonlyArray<RowOf<TableName>>) =>
  Effect.flatMap(Storage, ({ commit }) => commit(changes(workspaceId, { inserts: rows })))

/** An id that sorts after those of earlier times. */
export const newId = (at = someTime) => Effect.map(Ids, ({ next }) => next(at))

/** An application of a workspace, and its key. */
export const newApplication = (workspaceId: string, parts: Partial<Application> = {}) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const application = anApplication({
      id: ids.next(someTime),
      workspaceId,
      scopes,
      connectionIds: [],
      requestsPerMinute: 100_000,
      ...parts
    })
    const key = `parley_test_${ids.secret(32)}`
    const applicationId = application.id
    const apiKey = anApiKey({ id: ids.next(someTime), workspaceId, applicationId, hash: hashOf(key) })
    yield* write(workspaceId, [row("applications", application), row("apiKeys", apiKey)])
    return { application, key }
  })

/** A workspace with a WhatsApp and an email connection, and an application with both. */
export const newShop = Effect.gen(function* () {
  const workspace = aWorkspace({ id: yield* newId() })
  const workspaceId = workspace.id
  const whatsapp = aConnection({ id: yield* newId(), workspaceId, name: "Front desk" })
  const email = aConnection({
    id: yield* newId(),
    workspaceId,
    name: "Post",
    channel: "email",
    handle: "post@shop.example"
  })
  yield* write(workspaceId, [row("workspaces", workspace), row("connections", whatsapp), row("connections", email)])
  const { application, key } = yield* newApplication(workspaceId, { connectionIds: [whatsapp.id, email.id] })
  const { call } = yield* Api
  const storage = yield* Storage
  return {
    workspaceId,
    whatsapp,
    email,
    application,
    key,
    get: (path: string) => call(key, "GET", path),
    /** Calls as another application. */
    getAs: (other: string, path: string) => call(other, "GET", path),
    post: (path: string, body: object) => call(key, "POST", path, body),
    suspend: storage.commit(
      changes(workspaceId, {
        expects: [expect("workspaces", { id: workspaceId })],
        sets: [set("workspaces", { id: workspaceId }, { status: "suspended" })]
      })
    )
  }
})
export type Shop = Effect.Effect.Success<typeof newShop>

/** All responses from the first page on, following `links.next`. */
export const readAllPages = (get: Shop["get"], path: string): Effect.Effect<ReadonlyArray<Answered>> =>
  Effect.flatMap(get(path), (answer) => {
    const next: string | null = answer.json.links.next
    return next === null ? Effect.succeed([answer]) : Effect.map(readAllPages(get, next), (rest) => [answer, ...rest])
  })

/** Values of a field in all rows of a list. */
export const column = ({ json }: Answered, name: string): ReadonlyArray<unknown> =>
  json.data.map((one: { readonly [field: string]: unknown }) => one[name])
