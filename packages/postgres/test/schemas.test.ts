import { readFile } from "node:fs/promises"
import { describe, expect, it } from "@effect/vitest"
import { changes, lookup, row, Storage, Wakeup } from "@parley/core"
import { enqueueStatement, layer, migrate, type PostgresOptions, recountContacts } from "@parley/postgres"
import { tables } from "@parley/sql"
import { makeTestIds, storageContract } from "@parley/testkit"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { aContact, aJob } from "@parley/testkit/rows"
import { Context, Effect, Layer, Queue, Redacted } from "effect"
import { inject } from "vitest"
import { foreignConnection } from "./foreignConnection.js"
import { foreignRole } from "./foreignRole.js"
import { sharedDatabase } from "./sharedDatabase.js"

const inSchema = (url: string, schema: string, more: Partial<PostgresOptions> = {}): PostgresOptions => ({
  url: Redacted.make(url),
  schema,
  ...more
})

const open = (options: PostgresOptions) => Layer.build(Layer.fresh(layer(options)))

const problemOf = (options: PostgresOptions) =>
  Effect.map(Effect.flip(Effect.scoped(open(options))), (error) =>
    error._tag === "SqlError" && error.cause instanceof Error ? error.cause.message : error.message
  )

storageContract(
  "postgres in a schema beside another program's tables, with a hostile search_path",
  Effect.map(sharedDatabase, ({ url }) => layer(inSchema(url, "parley"))),
  { hosts: 2 }
)

describe("a schema", () => {
  it.scopedLive("takes all tables and leaves those of other programs as they are", () =>
    Effect.gen(function* () {
      const { own, url } = yield* sharedDatabase
      const outside = `SELECT table_schema, table_name, column_name FROM information_schema.columns
WHERE table_schema NOT IN ('pg_catalog', 'information_schema', 'parley') ORDER BY 1, 2, 3`
      const functions = "SELECT proname FROM pg_proc WHERE pronamespace = 'hostile'::regnamespace ORDER BY 1"
      const before = [yield* adminQuery(own, outside), yield* adminQuery(own, functions)]
      yield* open(inSchema(url, "parley"))
      expect([yield* adminQuery(own, outside), yield* adminQuery(own, functions)]).toEqual(before)
      const made = yield* adminQuery(own, "SELECT tablename FROM pg_tables WHERE schemaname = 'parley'")
      expect(made.map(({ tablename }) => tablename)).toEqual(expect.arrayContaining(tables.map(({ sql }) => sql)))
    })
  )

  it.scopedLive("is beside others of one database, which migrate at the same time and keep their rows apart", () =>
    Effect.gen(function* () {
      const { own, url } = yield* sharedDatabase
      const names = ["one", "other", "order", "public_2"]
      yield* Effect.forEach(names, (schema) => migrate(inSchema(url, schema)), { concurrency: "unbounded" })
      const [one, other] = yield* Effect.all([
        Effect.map(open(inSchema(url, "one")), Context.get(Storage)),
        Effect.map(open(inSchema(url, "order", { migrate: false })), Context.get(Storage))
      ])
      const ids = makeTestIds(7)
      const workspaceId = ids.next(1)
      const contact = aContact({ id: ids.next(1), workspaceId, tags: ["vip"] })
      yield* one.commit(changes(workspaceId, { inserts: [row("contacts", contact)] }))
      const search = { found: lookup("contacts", { id: contact.id }) }
      expect((yield* one.read(search)).found).toEqual([contact])
      expect((yield* other.read(search)).found).toEqual([])
      expect(yield* adminQuery(own, "SELECT count(*)::int AS n FROM one.contact_facets")).toEqual([{ n: 4 }])
      expect(yield* recountContacts(inSchema(url, "one"))).toEqual({ wrongCounts: 0 })
      // The schemas use the same extensions: dropping one takes nothing from the others.
      yield* adminQuery(own, "DROP SCHEMA other CASCADE")
      const indexes = yield* adminQuery(
        own,
        "SELECT schemaname FROM pg_indexes WHERE indexdef LIKE '%gin_trgm_ops%' ORDER BY 1"
      )
      expect(indexes.map(({ schemaname }) => schemaname)).toEqual(["one", "order", "public_2"])
    })
  )

  it.scopedLive("has its own hints, and its own lock of migrations", () =>
    Effect.gen(function* () {
      const { url } = yield* sharedDatabase
      const [one, same, other] = yield* Effect.all([
        open(inSchema(url, "one")),
        open(inSchema(url, "one")),
        open(inSchema(url, "other"))
      ])
      const [hints, hintsElsewhere] = [yield* Context.get(same, Wakeup).hints, yield* Context.get(other, Wakeup).hints]
      // A hint may be lost before the hosts listen: repeat until both have had one of their own schema.
      const tell = (context: Context.Context<Wakeup>, lane: "sends" | "receipts") =>
        Effect.forever(Effect.zipRight(Context.get(context, Wakeup).notify(new Set([lane])), Effect.sleep("20 millis")))
      const another = yield* open(inSchema(url, "other"))
      const [here, elsewhere] = yield* Effect.raceFirst(
        Effect.all([Queue.take(hints), Queue.take(hintsElsewhere)], { concurrency: 2 }),
        Effect.zipRight(Effect.all([tell(one, "sends"), tell(another, "receipts")], { concurrency: 2 }), Effect.never)
      )
      expect([[...here], [...elsewhere]]).toEqual([["sends"], ["receipts"]])
      const client = yield* foreignConnection(url)
      yield* Effect.promise(() =>
        client.query("SELECT pg_advisory_lock(7274551, pg_catalog.hashtext('one')), pg_advisory_lock(7274551)")
      )
      yield* migrate(inSchema(url, "other"))
    })
  )

  it.scopedLive("gets requests from a transaction whose search_path does not find it", () =>
    Effect.gen(function* () {
      const { own, url } = yield* sharedDatabase
      const storage = Context.get(yield* open(inSchema(url, "parley")), Storage)
      const client = yield* foreignConnection(url)
      const ids = makeTestIds(9)
      const job = aJob({ id: ids.next(1), workspaceId: ids.next(1), lane: "enqueued", leaseUntil: 0 })
      const { text, values } = enqueueStatement(job, { schema: "parley" })
      yield* Effect.promise(() => client.query(text, values))
      const { found } = yield* storage.read({ found: lookup("jobs", { id: job.id }) })
      expect(found).toMatchObject([{ id: job.id, payload: job.payload }])
      expect(yield* adminQuery(own, "SELECT count(*)::int AS n FROM public.jobs")).toEqual([{ n: 0 }])
      const path = yield* Effect.promise(() => client.query("SHOW search_path"))
      expect(path.rows).toEqual([{ search_path: "hostile, public, pg_catalog" }])
    })
  )
})

describe("a role that may only insert jobs", () => {
  it.scopedLive("enqueues with the statement of `parley.enqueue` and with that of the documentation", () =>
    Effect.gen(function* () {
      const role = yield* foreignRole(inject("postgresUrl"))
      const own = yield* freshPostgres
      const storage = Context.get(yield* open(inSchema(own, "parley")), Storage)
      yield* adminQuery(
        own,
        `GRANT USAGE ON SCHEMA parley TO ${role.name}; GRANT INSERT ON parley.jobs TO ${role.name}`
      )
      const client = yield* foreignConnection(role.at(own))
      const ids = makeTestIds(12)
      const job = aJob({ id: ids.next(1), workspaceId: ids.next(1), lane: "enqueued", leaseUntil: 0 })
      const { text, values } = enqueueStatement(job, { schema: "parley" })
      yield* Effect.promise(() => client.query(text, values))
      const page = yield* Effect.promise(() => readFile("docs/reference/enqueue.md", "utf8"))
      const [, documented = ""] = /```sql\n(.*?)```/s.exec(page) ?? []
      yield* Effect.promise(() => client.query("SET search_path = parley"))
      const { rows } = yield* Effect.promise(() =>
        client.query(documented, [job.workspaceId, job.subject, JSON.stringify(job.payload)])
      )
      for (const id of [job.id, rows[0].id]) {
        const { found } = yield* storage.read({ found: lookup("jobs", { id }) })
        expect(found).toMatchObject([{ lane: "enqueued", subject: job.subject, payload: job.payload }])
      }
    })
  )
})

describe("a schema that cannot be used", () => {
  it.scopedLive("is missing, and the role may not create it", () =>
    Effect.gen(function* () {
      const role = yield* foreignRole(inject("postgresUrl"))
      const own = yield* freshPostgres
      const options = inSchema(role.at(own), "parley")
      expect(yield* problemOf(options)).toBe(
        `there is no schema "parley", and the role ${role.name} may not create it. Run, as a superuser: CREATE SCHEMA "parley" AUTHORIZATION ${role.name}`
      )
      expect(yield* problemOf({ ...options, migrate: false })).toMatch(/^there is no schema "parley"\. The migrations/)
      yield* adminQuery(own, `CREATE SCHEMA "parley" AUTHORIZATION ${role.name}`)
      yield* open(options)
    })
  )

  it.scopedLive("gives the role no rights", () =>
    Effect.gen(function* () {
      const role = yield* foreignRole(inject("postgresUrl"))
      const own = yield* freshPostgres
      const options = inSchema(role.at(own), "parley")
      yield* adminQuery(own, "CREATE SCHEMA parley")
      const problem = yield* problemOf(options)
      expect(problem).toBe(
        `the role ${role.name} may not use the schema "parley": run, as the owner of the schema or a superuser: GRANT USAGE, CREATE ON SCHEMA "parley" TO ${role.name}`
      )
      yield* adminQuery(own, `GRANT USAGE ON SCHEMA parley TO ${role.name}`)
      expect(yield* problemOf(options)).toMatch(
        /^its migrations are missing, and the role \w+ may not create tables in the schema "parley": run, .*GRANT CREATE ON SCHEMA "parley" TO/
      )
      expect(yield* adminQuery(own, "SELECT 1 FROM pg_class WHERE relname = 'parley_migrations'")).toEqual([])
      yield* adminQuery(own, problem.slice(problem.indexOf("GRANT")))
      yield* open(options)
    })
  )

  it.scopedLive("has been migrated by another role, and this one may only read and write", () =>
    Effect.gen(function* () {
      const role = yield* foreignRole(inject("postgresUrl"))
      const own = yield* freshPostgres
      yield* migrate(inSchema(own, "parley"))
      yield* adminQuery(
        own,
        `GRANT USAGE ON SCHEMA parley TO ${role.name}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA parley TO ${role.name}`
      )
      yield* open(inSchema(role.at(own), "parley"))
      yield* adminQuery(own, "INSERT INTO parley.parley_migrations (migration_id, name) VALUES (99, 'later')")
      expect(yield* problemOf(inSchema(role.at(own), "parley"))).toMatch(/schema version 99, which is newer/)
    })
  )
})

describe("a database without a schema in the options", () => {
  it.scopedLive("continues where its tables are, also if that schema is named or renamed later", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgres
      const ids = makeTestIds(11)
      const workspaceId = ids.next(1)
      const contact = aContact({ id: ids.next(1), workspaceId })
      const before = Context.get(yield* open({ url: Redacted.make(url) }), Storage)
      yield* before.commit(changes(workspaceId, { inserts: [row("contacts", contact)] }))
      const found = (schema: string) =>
        Effect.scoped(
          Effect.flatMap(open(inSchema(url, schema)), (opened) =>
            Effect.map(
              Context.get(opened, Storage).read({ found: lookup("contacts", { id: contact.id }) }),
              ({ found }) => found
            )
          )
        )
      expect(yield* found("public")).toEqual([contact])
      expect(yield* found("parley")).toEqual([])
      yield* adminQuery(url, "DROP SCHEMA parley CASCADE; ALTER SCHEMA public RENAME TO parley; CREATE SCHEMA public")
      expect(yield* found("parley")).toEqual([contact])
    })
  )
})
