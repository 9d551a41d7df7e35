import { expect, layer } from "@effect/vitest"
import {
  allowAll,
  ChannelProviders,
  type Connection,
  changes,
  channelProviders,
  Engine,
  engineSettings,
  HttpSender,
  Ids,
  type InboundEvent,
  lookup,
  row,
  SecretBox,
  SecretUnreadable,
  Storage,
  StorageUnavailable,
  type Wakeup
} from "@parley/core"
import { LogNotifier, MemoryBlobs, UuidIds } from "@parley/node"
import { plainSecretBox, scriptedVendor, vendorMessage, vendorSecret, vendorSignature } from "@parley/testkit"
import { databases } from "@parley/testkit/databases"
import { aConnection, aWorkspace } from "@parley/testkit/rows"
import { Context, Effect, Layer, Logger, LogLevel, type Scope } from "effect"
import { type Interpreter, makeInterpreter, publicModule } from "../../src/index.js"
import { type Fetch, transports } from "./transports.js"

/** An interpreter with the engine, and a storage whose commits can be made to fail. */
class World extends Context.Tag("test/World")<
  World,
  {
    readonly interpreter: Interpreter
    readonly storage: Storage
    readonly ids: Ids
    /** How later commits fail; null: not at all; `after`: although written. */
    readonly fail: (how: "before" | "after" | null) => void
  }
>() {}

/** Lacks the key of a stored secret. */
const forgetfulSecretBox = Layer.map(plainSecretBox, (context) => {
  const box = Context.get(context, SecretBox)
  return Context.make(SecretBox, {
    ...box,
    open: (sealed) =>
      sealed.startsWith("{") ? box.open(sealed) : new SecretUnreadable({ reason: "was sealed under another key" })
  })
})

const world = <E>(storage: Layer.Layer<Storage | Wakeup, E>) => {
  const faults: { how: "before" | "after" | null } = { how: null }
  const down = new StorageUnavailable({ cause: new Error("down") })
  const faulty = Layer.effect(
    Storage,
    Effect.map(Storage, (real) => ({
      ...real,
      commit: (given: Parameters<Storage["commit"]>[0]) =>
        Effect.suspend(() => {
          if (faults.how === "before") return down
          const { how } = faults
          return Effect.flatMap(real.commit(given), (outcome) => (how === null ? Effect.succeed(outcome) : down))
        })
    }))
  )
  const ports = Layer.mergeAll(
    UuidIds.layer,
    LogNotifier.layer,
    MemoryBlobs.layer,
    allowAll,
    forgetfulSecretBox,
    engineSettings({ verdictWait: 0 }),
    Layer.succeed(ChannelProviders, channelProviders([scriptedVendor])),
    Layer.succeed(HttpSender, {
      refusal: () => null,
      post: () => Effect.succeed({ _tag: "Answered", status: 200, body: "" })
    })
  )
  return Layer.scoped(
    World,
    Effect.gen(function* () {
      const fail = (how: "before" | "after" | null) => {
        faults.how = how
      }
      const interpreter = yield* makeInterpreter({ modules: [yield* publicModule] })
      return { interpreter, storage: yield* Storage, ids: yield* Ids, fail }
    })
  ).pipe(
    Layer.provide(Engine.layer),
    Layer.provide(Layer.merge(ports, Layer.provideMerge(faulty, storage))),
    Layer.provide(Logger.minimumLogLevel(LogLevel.None))
  )
}

const connectionWith = (parts: Partial<Connection> = {}) =>
  Effect.gen(function* () {
    const { ids, storage } = yield* World
    const workspace = aWorkspace({ id: ids.next(1_700_000_000_000) })
    const connection = aConnection({
      id: ids.next(1_700_000_000_000),
      workspaceId: workspace.id,
      channel: "telegram",
      provider: "vendor",
      config: { account: "own" },
      credentials: vendorSecret("secret"),
      ...parts
    })
    yield* storage.commit(
      changes(workspace.id, { claims: [row("workspaces", workspace)], inserts: [row("connections", connection)] })
    )
    return connection
  })

const reported = (...events: ReadonlyArray<InboundEvent>) => JSON.stringify([{ account: "own", events }])
const hello = reported(vendorMessage("1", "ada", "hello"), vendorMessage("2", "zoe", "hello too"))

const post = (
  fetch: Fetch,
  { id }: { readonly id: string },
  body: string,
  signature = vendorSignature("secret", body)
) =>
  Effect.promise(async () => {
    const response = await fetch(`/inbound/${id}`, { method: "POST", headers: { signature }, body })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      code: text === "" ? null : JSON.parse(text).error.code
    }
  })

const stored = ({ id: connectionId }: Connection) =>
  Effect.flatMap(World, ({ storage }) =>
    Effect.map(
      storage.read({
        messages: lookup("messages", { connectionId }),
        unknown: lookup("unknownEvents", { connectionId })
      }),
      ({ messages, unknown }) => [...messages.map(({ body }) => body), ...unknown.map(({ raw }) => raw)].sort()
    )
  )

/** Requests of a vendor or of an impostor, and their expected results. */
const requests: ReadonlyArray<{
  readonly what: string
  readonly connection?: Partial<Connection>
  readonly body: string
  readonly signature?: string
  readonly status: number
  readonly code: string | null
  readonly kept: ReadonlyArray<string>
}> = [
  { what: "signed", body: hello, status: 200, code: null, kept: ["hello", "hello too"] },
  { what: "unsigned", body: hello, signature: "", status: 401, code: "unauthenticated", kept: [] },
  {
    what: "signed for another connection",
    body: hello,
    signature: vendorSignature("another", hello),
    status: 401,
    code: "unauthenticated",
    kept: []
  },
  { what: "oversized", body: "x".repeat(100_001), status: 413, code: "payload_too_large", kept: [] },
  { what: "not JSON", body: "{", status: 400, code: "bad_request", kept: [] },
  { what: "JSON of another shape", body: `{"messages":[]}`, status: 400, code: "bad_request", kept: [] },
  {
    what: "for a paused connection",
    connection: { status: "paused" },
    body: hello,
    status: 200,
    code: null,
    kept: ["hello", "hello too"]
  },
  {
    what: "for a connection without provider",
    connection: { provider: "other" },
    body: hello,
    status: 404,
    code: "not_found",
    kept: []
  },
  {
    what: "for a connection with unreadable credentials",
    connection: { credentials: "sealed under another key" },
    body: hello,
    status: 503,
    code: "service_unavailable",
    kept: []
  }
]

for (const [name, storage] of databases) {
  layer(world(storage), { excludeTestServices: true, timeout: 60_000 })(`inbound on ${name}`, (it) => {
    for (const [way, transport] of transports) {
      const through = <A, E, R>(
        use: (fetch: Fetch) => Effect.Effect<A, E, R>
      ): Effect.Effect<A, E, R | World | Scope.Scope> =>
        Effect.flatMap(World, ({ interpreter }) => Effect.flatMap(transport(interpreter), use))

      for (const { body, code, connection, kept, signature, status, what } of requests) {
        it.scoped(`answers ${status} through ${way} to what is ${what}`, () =>
          through((fetch) =>
            Effect.gen(function* () {
              const its = yield* connectionWith(connection)
              const answer = yield* post(fetch, its, body, signature)
              expect([answer.status, answer.code]).toEqual([status, code])
              expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
              expect(yield* stored(its)).toEqual(kept)
            })
          )
        )
      }

      it.scoped(`answers 200 through ${way} to a replayed request, and stores it once`, () =>
        through((fetch) =>
          Effect.gen(function* () {
            const connection = yield* connectionWith()
            for (const _ of [1, 2]) expect((yield* post(fetch, connection, hello)).status).toBe(200)
            expect(yield* stored(connection)).toEqual(["hello", "hello too"])
          })
        )
      )
    }

    const [, node] = transports[0] ?? []
    for (const how of ["before", "after"] as const) {
      it.scoped(`answers 503 if the storage fails ${how} the write, and loses nothing on redelivery`, () =>
        Effect.gen(function* () {
          const { fail, interpreter } = yield* World
          if (node === undefined) return yield* Effect.dieMessage("there is no server")
          const fetch = yield* node(interpreter)
          const connection = yield* connectionWith()
          fail(how)
          const answer = yield* Effect.ensuring(
            post(fetch, connection, hello),
            Effect.sync(() => fail(null))
          )
          expect([answer.status, answer.code]).toEqual([503, "service_unavailable"])
          expect(answer.headers.get("retry-after")).toBe("1")
          expect((yield* post(fetch, connection, hello)).status).toBe(200)
          expect(yield* stored(connection)).toEqual(["hello", "hello too"])
        })
      )
    }
  })
}
