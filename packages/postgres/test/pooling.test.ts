import { describe, expect, it } from "@effect/vitest"
import { Storage, Wakeup } from "@parley/core"
import { layer, migrate, type PostgresOptions } from "@parley/postgres"
import { storageContract } from "@parley/testkit"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { Context, Effect, Fiber, Layer, Queue, Redacted, type Scope } from "effect"
import { inject } from "vitest"
import { setForRole } from "../src/sessionSettings.js"
import { pgbouncer, pgbouncerMissing } from "./pgbouncer.js"

const databaseOf = (url: string) => new URL(url).pathname.slice(1)

/** The options of a new database through a pooler of its own, and its own URL. */
const pooled = (
  mode: "session" | "transaction"
): Effect.Effect<{ readonly own: string; readonly options: PostgresOptions }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const own = yield* freshPostgres
    const through = yield* pgbouncer(inject("postgresUrl"), mode)
    const url = Redacted.make(through(own))
    return { own, options: mode === "session" ? { url } : { url, directUrl: Redacted.make(own) } }
  })

const setRole = (own: string, schema?: string) => adminQuery(own, setForRole("postgres", databaseOf(own), schema))

const problemOf = (options: PostgresOptions) =>
  Effect.map(
    Effect.flip(Effect.scoped(Layer.build(layer(options)))),
    (error) => `${error.cause instanceof Error ? error.cause.message : error.message}`
  )

describe.skipIf(pgbouncerMissing !== "")(`PgBouncer${pgbouncerMissing}`, () => {
  storageContract(
    "postgres through PgBouncer in session mode",
    Effect.map(pooled("session"), ({ options }) => layer(options)),
    { hosts: 2 }
  )
  storageContract(
    "postgres through PgBouncer in transaction mode",
    Effect.map(
      Effect.tap(pooled("transaction"), ({ own }) => setRole(own)),
      ({ options }) => layer(options)
    ),
    { hosts: 2 }
  )

  storageContract(
    "postgres in a schema through PgBouncer in transaction mode",
    Effect.map(
      Effect.tap(pooled("transaction"), ({ own }) => setRole(own, "order")),
      ({ options }) => layer({ ...options, schema: "order" })
    ),
    { hosts: 2 }
  )

  it.scopedLive("is refused in transaction mode until the role finds the schema", () =>
    Effect.gen(function* () {
      const { options, own } = yield* pooled("transaction")
      yield* setRole(own, "another")
      const problem = yield* problemOf({ ...options, schema: "parley" })
      expect(problem).toContain("lack search_path. Run")
      expect(problem).toContain('SET search_path = "parley", pg_temp;')
    })
  )

  it.scopedLive("is refused in transaction mode without a direct URL, before anything is migrated", () =>
    Effect.gen(function* () {
      const { options, own } = yield* pooled("transaction")
      expect(yield* problemOf({ url: options.url })).toMatch(/set PARLEY_DATABASE_DIRECT_URL .*pool_mode = session/)
      expect(yield* Effect.flip(migrate({ url: options.url }))).toBeDefined()
      expect(yield* adminQuery(own, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([])
    })
  )

  it.scopedLive("is refused in transaction mode with a direct URL that is pooled too", () =>
    Effect.gen(function* () {
      const { options } = yield* pooled("transaction")
      expect(yield* problemOf({ url: options.url, directUrl: options.url })).toMatch(/^the direct URL reaches a pooler/)
    })
  )

  it.scopedLive(
    "is refused in transaction mode until the role has the planner settings, with the commands for it",
    () =>
      Effect.gen(function* () {
        const { options, own } = yield* pooled("transaction")
        const problem = yield* problemOf(options)
        expect(problem).toContain("lack enable_seqscan, enable_hashjoin, enable_mergejoin, plan_cache_mode, jit")
        yield* adminQuery(own, problem.slice(problem.indexOf("ALTER ROLE")))
        const through = yield* pgbouncer(inject("postgresUrl"), "transaction")
        yield* Layer.build(layer({ ...options, url: Redacted.make(through(own)) }))
      })
  )

  it.scopedLive("passes hints between hosts in transaction mode", () =>
    Effect.gen(function* () {
      const { options, own } = yield* pooled("transaction")
      yield* setRole(own)
      const open = Effect.map(Layer.build(Layer.fresh(layer(options))), Context.get(Wakeup))
      const [one, other] = [yield* open, yield* open]
      const hints = yield* other.hints
      const hint = yield* Effect.fork(Queue.take(hints))
      // Until the other host listens, hints are lost.
      const repeat = Effect.forever(Effect.zipRight(one.notify(new Set(["sends"])), Effect.sleep(50)))
      expect(yield* Effect.raceFirst(Fiber.join(hint), repeat)).toEqual(new Set(["sends"]))
    })
  )

  it.scopedLive("leaves no setting on connections in session mode", () =>
    Effect.gen(function* () {
      const { options } = yield* pooled("session")
      yield* Effect.scoped(Effect.flatMap(Layer.build(layer(options)), (built) => Context.get(built, Storage).check))
      expect(yield* adminQuery(Redacted.value(options.url), "SHOW enable_seqscan")).toEqual([{ enable_seqscan: "on" }])
    })
  )
})
