import { SandboxProvider } from "@parley/channel-sandbox"
import {
  Administration,
  allowAll,
  type ChannelProvider,
  ChannelProviders,
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
import { plainSecretBox, sharedDatabases } from "@parley/testkit"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { expect } from "vitest"
import { adminSurface, makeInterpreter, nodeServer, publicSurface } from "../src/index.js"
import { agreeing } from "./openapi/agreeing.js"
import { type Answered, listening, requestTo, type Served } from "./serve.js"

const adminToken = "admin-token"

/** Two hosts on one database, each an engine of its own behind `/api/v1` and `/admin/v1`. */
export class Hosts extends Context.Tag("test/Hosts")<
  Hosts,
  {
    readonly one: Served["request"]
    readonly other: Served["request"]
    readonly storage: Storage
  }
>() {}

/** The hosts on each database, with these entitlements, and with these providers besides the sandbox. */
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
    Layer.succeed(ChannelProviders, {
      byKind: new Map([SandboxProvider, ...providers].map((provider) => [provider.kind, provider]))
    }),
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
      const surfaces = [yield* publicSurface, yield* adminSurface(Redacted.make(adminToken))] as const
      return yield* nodeServer(yield* makeInterpreter({ surfaces }))
    }).pipe(Effect.provide(engine))
    const request = requestTo(yield* listening(server))
    // What an embedding team refuses is in no document.
    return { request: entitlements === allowAll ? agreeing(request) : request, storage: Context.get(engine, Storage) }
  })

/** An administrator's call that must be answered with this status: its `data`. */
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

/** The refusal of an administrator's call: its status, code and details. */
export const administerInVain = (method: string, path: string, json?: object) =>
  Effect.gen(function* () {
    const { one } = yield* Hosts
    const answer = yield* one(method, `/admin/v1${path}`, {
      token: adminToken,
      ...(json === undefined ? {} : { json })
    })
    return told(answer)
  })

/** What a refusal tells. */
export const told = ({ status, error }: Answered) => [status, error?.code, error?.details] as const

/** A new application in a workspace, on a connection of every channel that it is to have. */
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

/** Posts on behalf of a caller. */
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

/** What is stored of a workspace in a table, newest first. */
export const stored = <T extends "businessEvents" | "contacts" | "leads" | "messages">(
  table: T,
  workspaceId: string
): Effect.Effect<ReadonlyArray<Tables[T]>, unknown, Hosts> =>
  Effect.flatMap(Hosts, ({ storage }) =>
    storage.list({ from: table, where: { workspaceId } as never, after: null, limit: 1_000 })
  )
