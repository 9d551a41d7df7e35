import { describe, expect, it } from "@effect/vitest"
import { type Changes, changes, lookup, row, Storage, Wakeup } from "@parley/core"
import { layer, migrate, type PoolOptions, recountContacts } from "@parley/postgres"
import { makeTestIds, storageContract } from "@parley/testkit"
import { adminQuery } from "@parley/testkit/databases"
import { aContact, anAddress, anEndpoint } from "@parley/testkit/rows"
import { Context, Effect, Exit, Layer, Queue, Scope } from "effect"
import Pg from "pg"
import { foreignConnection } from "./foreignConnection.js"
import { sharedDatabase } from "./sharedDatabase.js"

/** The settings of the application's own connections. */
const ofApplication =
  "SET search_path = hostile, public; SET enable_seqscan = on; SET default_transaction_read_only = on"

/** A pool of an application that sets each connection up, and has used some of them. */
const applicationPool = (url: string, config: Pg.PoolConfig = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const onConnect = (client: Pg.ClientBase) => client.query(ofApplication)
      const pool = new Pg.Pool({ connectionString: url, max: 24, onConnect, ...config } as Pg.PoolConfig)
      // Errors of idle connections. `pool.end` does not wait for their end, so the drop of the database may be one.
      pool.on("error", () => {})
      // The pool does not wait for a listener: its last statement may run when Parley has the connection already.
      pool.on("connect", async (client) => {
        try {
          await client.query("SELECT 1")
          await client.query("SELECT pg_sleep(0.02)")
          await client.query(ofApplication)
        } catch {}
      })
      const clients = await Promise.all([1, 2, 3].map(() => pool.connect()))
      await Promise.all(clients.map((client) => client.query("SELECT 1")))
      for (const client of clients) client.release()
      return pool
    }),
    (pool) => Effect.promise(async () => pool.ending || (await pool.end()))
  )

const sharedPool = (config?: Pg.PoolConfig) =>
  Effect.gen(function* () {
    const { own, role, url } = yield* sharedDatabase
    return { own, role, pool: yield* applicationPool(url, config) }
  })

const withPool = (pool: Pg.Pool, more: Partial<PoolOptions> = {}): PoolOptions => ({ pool, schema: "parley", ...more })

const open = (options: PoolOptions) => Layer.build(Layer.fresh(layer(options)))

const problemOf = (options: PoolOptions) =>
  Effect.map(Effect.flip(Effect.scoped(open(options))), (error) =>
    error._tag === "SqlError" && error.cause instanceof Error ? error.cause.message : error.message
  )

const backends = (own: string, role: string, which = "true") =>
  adminQuery(own, `SELECT pid FROM pg_stat_activity WHERE usename = '${role}' AND ${which}`)

storageContract(
  "postgres on a caller's pool",
  Effect.map(sharedPool({ max: 30 }), ({ pool }) => layer(withPool(pool))),
  { hosts: 2 }
)

describe("a caller's pool", () => {
  it.scopedLive("is used by the application at the same time, whose connections keep their settings", () =>
    Effect.gen(function* () {
      const { own, pool } = yield* sharedPool({ max: 8, idleTimeoutMillis: 50 })
      const storage = Context.get(yield* open(withPool(pool)), Storage)
      const ids = makeTestIds(21)
      const workspaceId = ids.next(1)
      const contacts = Array.from({ length: 60 }, () => aContact({ id: ids.next(1), workspaceId }))
      const parley = Effect.forEach(
        contacts,
        (contact) => storage.commit(changes(workspaceId, { inserts: [row("contacts", contact)] })),
        { concurrency: 8 }
      )
      const application = Effect.forEach(
        contacts,
        () =>
          Effect.promise(async () => {
            const { rows } = await pool.query({
              name: "theirs",
              text: `SELECT current_setting('search_path') AS path, current_setting('enable_seqscan') AS scan, $1::int8 AS big,
current_setting('application_name') AS name`,
              values: [1]
            })
            return rows[0]
          }),
        { concurrency: 3 }
      )
      const [, seen] = yield* Effect.all([parley, application], { concurrency: 2 })
      for (const one of seen) expect(one).toEqual({ path: "hostile, public", scan: "on", big: "1", name: "" })
      expect(yield* adminQuery(own, "SELECT count(*)::int AS n FROM parley.contacts")).toEqual([{ n: 60 }])
      expect((yield* storage.read({ found: lookup("contacts", { id: contacts[0]?.id ?? "" }) })).found).toEqual([
        contacts[0]
      ])
    })
  )

  it.scopedLive("gives at most the stated number of connections, and has them back after the end", () =>
    Effect.gen(function* () {
      const { own, pool, role } = yield* sharedPool({ max: 6 })
      const scope = yield* Scope.make()
      const opened = yield* Layer.buildWithScope(Layer.fresh(layer(withPool(pool))), scope)
      const storage = Context.get(opened, Storage)
      const inUse = () => pool.totalCount - pool.idleCount
      const seen: Array<number> = []
      yield* Effect.forEach(
        Array.from({ length: 100 }),
        () => Effect.tap(storage.check, () => Effect.sync(() => seen.push(inUse()))),
        { concurrency: 20 }
      )
      // Two for statements, and one for LISTEN.
      expect(Math.max(...seen)).toBe(3)
      yield* Effect.promise(async () => {
        const mine = await Promise.all([1, 2, 3].map(() => pool.connect()))
        for (const client of mine) client.release()
      })
      yield* Scope.close(scope, Exit.void)
      expect([pool.ending, inUse(), pool.waitingCount]).toEqual([false, 0, 0])
      const left = "application_name = 'parley' OR query LIKE 'LISTEN%'"
      yield* Effect.repeat(backends(own, role, left), { until: (rows) => rows.length === 0 })
      const { rows } = yield* Effect.promise(() => pool.query("SHOW search_path"))
      expect(rows).toEqual([{ search_path: "hostile, public" }])
    })
  )

  it.scopedLive("brings hints, and migrates and recounts", () =>
    Effect.gen(function* () {
      const { pool } = yield* sharedPool()
      yield* migrate(withPool(pool))
      expect(yield* recountContacts(withPool(pool))).toEqual({ wrongCounts: 0 })
      const [one, other] = [yield* open(withPool(pool, { migrate: false })), yield* open(withPool(pool))]
      const hints = yield* Context.get(other, Wakeup).hints
      const received = yield* Effect.race(
        Queue.take(hints),
        Effect.forever(Effect.zipRight(Context.get(one, Wakeup).notify(new Set(["sends"])), Effect.sleep("20 millis")))
      )
      expect([...received]).toEqual(["sends"])
    })
  )

  it.scopedLive("works with the least connections", () =>
    Effect.gen(function* () {
      const { pool } = yield* sharedPool({ max: 3 })
      const storage = Context.get(yield* open(withPool(pool, { maxConnections: 1 })), Storage)
      yield* storage.check
    })
  )

  it.scopedLive("may lose its connections", () =>
    Effect.gen(function* () {
      const { own, pool, role } = yield* sharedPool()
      const storage = Context.get(yield* open(withPool(pool)), Storage)
      for (const _ of [1, 2, 3]) {
        yield* storage.check
        yield* adminQuery(own, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`)
        yield* Effect.retry(storage.check, { times: 20 })
      }
    })
  )

  it.scopedLive(
    "gets no connection back inside a transaction after a timeout, from a driver that does not pipeline",
    () =>
      Effect.gen(function* () {
        class OlderClient extends Pg.Client {
          constructor(config?: Pg.ClientConfig) {
            super(config)
            Reflect.deleteProperty(this, "pipeline")
          }
        }
        const { own, pool } = yield* sharedPool({ Client: OlderClient })
        // A statement, its ROLLBACK, and another try of both end before the lock timeout of 2 s.
        const options = withPool(pool, { maxConnections: 1, statementTimeoutMs: 400 })
        const storage = Context.get(yield* Effect.retry(open(options), { times: 20 }), Storage)
        const ids = makeTestIds(23)
        const workspaceId = ids.next(1)
        const [held, free] = [ids.next(1), ids.next(1)]
        const untilWritten = (written: Changes) => Effect.retry(storage.commit(written), { times: 50 })
        for (const id of [held, free]) {
          yield* untilWritten(changes(workspaceId, { inserts: [row("endpoints", anEndpoint({ id, workspaceId }))] }))
        }
        const fail = (id: string) => [{ table: "endpoints", id, add: { consecutiveFailures: 1 } } as const]
        const locking = yield* foreignConnection(own)
        yield* Effect.promise(() =>
          locking.query(`BEGIN; SELECT 1 FROM parley.endpoints WHERE id = '${held}' FOR UPDATE`)
        )
        const failed = yield* Effect.flip(
          storage.commit(
            changes(workspaceId, {
              claims: [row("addresses", anAddress({ workspaceId, handle: "+1" }))],
              bumps: fail(held)
            })
          )
        )
        expect(failed._tag).toBe("StorageUnavailable")
        yield* Effect.promise(() => locking.query("ROLLBACK"))
        yield* untilWritten(changes(workspaceId, { bumps: fail(free) }))
        expect(yield* adminQuery(own, "SELECT handle FROM parley.addresses")).toEqual([])
      })
  )

  it.scopedLive("reads types as Parley needs them, whatever the application makes of them", () =>
    Effect.gen(function* () {
      const types: Pg.CustomTypesConfig = { getTypeParser: () => (text: unknown) => `theirs: ${text}` }
      const { pool } = yield* sharedPool({ types })
      const storage = Context.get(yield* open(withPool(pool)), Storage)
      const ids = makeTestIds(22)
      const workspaceId = ids.next(1)
      const contact = aContact({ id: ids.next(1), workspaceId, tags: ["vip"] })
      yield* storage.commit(changes(workspaceId, { inserts: [row("contacts", contact)] }))
      expect((yield* storage.read({ found: lookup("contacts", { id: contact.id }) })).found).toEqual([contact])
      const { rows } = yield* Effect.promise(() => pool.query("SELECT 1::int8 AS n"))
      expect(rows).toEqual([{ n: "theirs: 1" }])
    })
  )
})

describe("a caller's pool that cannot be used", () => {
  it.scopedLive("has been ended, before or later", () =>
    Effect.gen(function* () {
      const { pool } = yield* sharedPool()
      const storage = Context.get(yield* open(withPool(pool)), Storage)
      yield* storage.check
      const ended = pool.end()
      expect(yield* problemOf(withPool(pool))).toMatch(/^the pool was ended\. .* only after parley\.close\(\)$/)
      void ended
    })
  )

  it.scopedLive("is too small", () =>
    Effect.gen(function* () {
      const { pool } = yield* sharedPool({ max: 3 })
      expect(yield* problemOf(withPool(pool))).toBe(
        "the pool has at most 3 connections, of which Parley takes 2 and one for LISTEN: its max must be at least 4"
      )
      expect(yield* problemOf(withPool(pool, { maxConnections: 12 }))).toMatch(/its max must be at least 14$/)
    })
  )

  it.scopedLive("has no free connection", () =>
    Effect.gen(function* () {
      const { pool } = yield* sharedPool({ max: 4 })
      const taken = yield* Effect.promise(() => Promise.all([1, 2, 3, 4].map(() => pool.connect())))
      expect(yield* problemOf(withPool(pool, { connectTimeoutMs: 50 }))).toBe(
        "the pool had no free connection for 50 ms: all 4 are in use"
      )
      for (const client of taken) client.release()
      // Connections that came too late went back.
      yield* Effect.repeat(
        Effect.sync(() => pool.idleCount),
        { until: (idle) => idle === 4 }
      )
      yield* open(withPool(pool))
    })
  )

  it.scopedLive("gives a connection with an open transaction, which is not used", () =>
    Effect.gen(function* () {
      const { own, pool } = yield* sharedPool()
      yield* Effect.promise(async () => {
        const clients = await Promise.all([1, 2, 3].map(() => pool.connect()))
        for (const client of clients) await client.query("BEGIN; CREATE TABLE public.unfinished ()").catch(() => {})
        for (const client of clients) client.release()
      })
      expect(yield* problemOf(withPool(pool))).toMatch(/^the pool gave a connection with an open transaction: release/)
      expect(yield* adminQuery(own, "SELECT 1 FROM pg_class WHERE relname = 'unfinished'")).toEqual([])
    })
  )
})
