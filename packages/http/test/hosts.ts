import { SandboxProvider } from "@parley/channel-sandbox"
import {
  Administration,
  allowAll,
  type ChannelProvider,
  ChannelProviders,
  channelProviders,
  Engine,
  type Entitlements,
  engineSettings,
  HttpSender,
  type Scope as Right,
  Storage,
  scopes,
  type Tables,
  type Wakeup
} from "@parley/core"
import { LogNotifier, MemoryBlobs, UuidIds } from "@parley/node"
import { sharedDatabases } from "@parley/testkit/databases"
import { plainSecretBox } from "@parley/testkit/services"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { expect } from "vitest"
import { adminModule, makeInterpreter, nodeServer, publicModule } from "../src/index.js"
import { agreeing } from "./openapi/agreeing.js"
import { type Answered, listening, requestTo, type Served } from "./serve.js"

export const adminToken = "admin-token"

/** Two hosts on one database, each with its own engine behind `/api/v1` and `/admin/v1`. */
export class Hosts extends Context.Tag("test/Hosts")<
  Hosts,
  {
    readonly one: Served["request"]
    readonly other: Served["request"]
    readonly storage: Storage
  }
>() {}

/** Hosts on each database, with these entitlements and additional providers. */
export const hosts = (
  entitlements: Layer.Layer<Entitlements> = allowAll,
  providers: ReadonlyArray<ChannelProvider> = []
) =>
  sharedDatabases.map(
    ([name, open]) =>
      [
        name,
        Layer.scoped(
          Hosts,
          Effect.gen(function* () {
            const [first, second] = yield* Effect.forEach(yield* open, (storage) =>
              host(storage, entitlements, providers)
            )
            if (first === undefined || second === undefined) return yield* Effect.dieMessage("two hosts are wanted")
            return { one: first.request, other: second.request, storage: first.storage }
          })
        )
      ] as const
  )

const portsOf = (entitlements: Layer.Layer<Entitlements>, providers: ReadonlyArray<ChannelProvider>) =>
  Layer.mergeAll(
    UuidIds.layer,
    LogNotifier.layer,
    MemoryBlobs.layer,
    entitlements,
    engineSettings({ verdictWait: 0 }),
    Layer.succeed(ChannelProviders, channelProviders([SandboxProvider, ...providers])),
    plainSecretBox,
    Layer.succeed(HttpSender, {
      refusal: () => null,
      post: () => Effect.succeed({ _tag: "Answered", status: 200, body: "" })
    })
  )

const host = (
  storage: Layer.Layer<Storage | Wakeup, unknown>,
  entitlements: Layer.Layer<Entitlements>,
  providers: ReadonlyArray<ChannelProvider>
): Effect.Effect<{ readonly request: Served["request"]; readonly storage: Storage }, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const ports = Layer.merge(portsOf(entitlements, providers), storage)
    const engine = yield* Layer.build(
      Administration.layer.pipe(Layer.provideMerge(Engine.layer), Layer.provideMerge(ports))
    )
    const server = yield* Effect.gen(function* () {
      const modules = [yield* publicModule, yield* adminModule(Redacted.make(adminToken))] as const
      return yield* nodeServer(yield* makeInterpreter({ modules }))
    }).pipe(Effect.provide(engine))
    const request = requestTo(yield* listening(server))
    // Refusals of custom entitlements are not part of the OpenAPI document.
    return { request: entitlements === allowAll ? agreeing(request) : request, storage: Context.get(engine, Storage) }
  })

/** `data` of an administration call that must have this status. */
export const administer = (status: number, method: string, path: string, json?: object) =>
  Effect.gen(function* () {
    const { one } = yield* Hosts
    const answer = yield* one(method, `/admin/v1${path}`, {
      token: adminToken,
      ...(json === undefined ? {} : { json })
    })
    expect([method, path, answer.status, answer.error]).toEqual([method, path, status, null])
    return (answer.json as { readonly data: any }).data
  })

/** Status, code and details of a refused administration call. */
export const administerInVain = (method: string, path: string, json?: object) =>
  Effect.gen(function* () {
    const { one } = yield* Hosts
    const answer = yield* one(method, `/admin/v1${path}`, {
      token: adminToken,
      ...(json === undefined ? {} : { json })
    })
    return reported(answer)
  })

/** Status, code and details of a refusal. */
export const reported = ({ status, error }: Answered) => [status, error?.code, error?.details] as const

/** A new application in a workspace with one connection per given channel. */
export const newCaller = (
  options: { readonly workspaceId?: string; readonly scopes?: ReadonlyArray<Right>; readonly email?: boolean } = {}
) =>
  Effect.gen(function* () {
    const workspaceId: string =
      options.workspaceId ?? (yield* administer(201, "POST", "/workspaces", { name: "Bakery" })).id
    const desk = { channel: "email", provider: "sandbox", name: "Desk", handle: "desk@shop.example", is_test: true }
    const connection = options.email
      ? yield* administer(201, "POST", "/connections", { ...desk, workspace_id: workspaceId })
      : null
    const application = yield* administer(201, "POST", "/applications", {
      workspace_id: workspaceId,
      name: "Shop",
      mode: "test",
      scopes: options.scopes ?? scopes,
      connection_ids: connection === null ? [] : [connection.id]
    })
    const { key } = yield* administer(201, "POST", `/applications/${application.id}/api-keys`)
    return { workspaceId, applicationId: application.id as string, key: key as string }
  })
export type Caller = Effect.Effect.Success<ReturnType<typeof newCaller>>

/** Posts as a caller. */
export const post = (
  request: Served["request"],
  caller: Caller,
  path: string,
  json: unknown,
  idempotencyKey: string
): Effect.Effect<Answered> =>
  request("POST", `/api/v1${path}`, {
    token: caller.key,
    headers: { "idempotency-key": idempotencyKey },
    ...(typeof json === "string" ? { body: json } : { json })
  })

/** Rows of a workspace in a table, newest first. */
export const stored = <T extends "businessEvents" | "contacts" | "leads" | "messages">(
  table: T,
  workspaceId: string
): Effect.Effect<ReadonlyArray<Tables[T]>, unknown, Hosts> =>
  Effect.flatMap(Hosts, ({ storage }) =>
    storage.list({ from: table, where: { workspaceId } as never, after: null, limit: 1_000 })
  )
