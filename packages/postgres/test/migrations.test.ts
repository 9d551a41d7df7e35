import { SqlClient } from "@effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import { EventLoop, Storage, type TableName } from "@parley/core"
import { layer, migrate } from "@parley/postgres"
import { Database, Schema, tableOf } from "@parley/sql"
import { migrationContract } from "@parley/testkit"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { Context, Deferred, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { openDatabase } from "../src/database.js"
import { dialect } from "../src/dialect.js"
import { migrations } from "../src/migrations/index.js"
import { foreignConnection } from "./foreignConnection.js"
import { lists } from "./released/0003_lists.js"

/** Writes a row into those of its columns that the table has. */
const insert = (url: string, name: TableName, row: object) => {
  const { columns, sql: table } = tableOf(name)
  const stored = Object.fromEntries(columns.map(({ name, sql }) => [sql, row[name as keyof typeof row]]))
  const text = JSON.stringify(stored).replaceAll("'", "''")
  return adminQuery(url, `INSERT INTO ${table} SELECT * FROM json_populate_record(null::${table}, '${text}'::json)`)
}

/** The migrations of earlier versions, which kept the lists of contacts by triggers. */
const released = { ...migrations, "0003_lists": lists }

/** Migrates to this schema version. */
const migrateTo = (url: string, schemaVersion: number) =>
  Schema.migrate(
    { ...dialect, schemaVersion },
    Object.fromEntries(Object.entries(released).slice(0, schemaVersion))
  ).pipe(
    Effect.provide(
      Layer.scopedContext(
        Effect.map(openDatabase({ url: Redacted.make(url) }, {}), ({ database, sql }) =>
          Context.make(Database, database).pipe(Context.add(SqlClient, sql))
        )
      )
    )
  )

/** The triggers and functions that do not belong to an extension. */
const hidden = `SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT proname FROM pg_proc AS p WHERE pronamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.objid = p.oid AND d.deptype = 'e')`

const columns = `SELECT table_name, column_name, data_type, column_default, is_nullable, is_identity
FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, column_name`

it.scopedLive("leave neither triggers nor functions, and result in the schema of a new database", () =>
  Effect.gen(function* () {
    const [fresh, upgraded] = [yield* freshPostgres, yield* freshPostgres]
    yield* migrateTo(upgraded, 6)
    expect(yield* adminQuery(upgraded, hidden)).not.toEqual([])
    for (const url of [fresh, upgraded]) {
      yield* migrate({ url: Redacted.make(url) })
      expect(yield* adminQuery(url, hidden)).toEqual([])
    }
    expect(yield* adminQuery(upgraded, columns)).toEqual(yield* adminQuery(fresh, columns))
  })
)

/** Holds the lock of a reader of this table, as a backup does. Returns what ends it. */
const reading = (url: string, table: string) =>
  Effect.gen(function* () {
    const client = yield* foreignConnection(url)
    yield* Effect.promise(() => client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS SHARE MODE`))
    return Effect.promise(() => client.query("ROLLBACK"))
  })

it.scopedLive("do not lock their table if none is missing, so that hosts start during a backup", () =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    yield* migrate({ url: Redacted.make(url) })
    yield* reading(url, Schema.migrationsTable)
    yield* migrate({ url: Redacted.make(url) })
  })
)

for (const table of [Schema.migrationsTable, "events"]) {
  it.scopedLive(`wait for a backup that reads ${table} without blocking the statements of others for long`, () =>
    Effect.gen(function* () {
      const url = yield* freshPostgres
      yield* migrateTo(url, 15)
      // Below the time that they wait for a lock. It is not for migrations.
      yield* adminQuery(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET statement_timeout = '900ms'`)
      const endBackup = yield* reading(url, table)
      // The pause after the first attempt has no end until the test ends it.
      const paused = yield* Deferred.make<() => void>()
      const loop = EventLoop.of({
        ...(yield* EventLoop),
        setTimer: (task) => {
          Deferred.unsafeDone(paused, Effect.succeed(task))
          return () => {}
        }
      })
      const logged: Array<unknown> = []
      const logger = Logger.make(({ message }) => logged.push(message))
      const migrating = yield* migrate({ url: Redacted.make(url) }).pipe(
        Effect.provideService(EventLoop, loop),
        Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
        Effect.fork
      )
      const goOn = yield* Effect.raceFirst(Deferred.await(paused), Effect.zipRight(Fiber.join(migrating), Effect.never))
      expect(logged.flat()).toEqual([expect.stringMatching(/^The migrations wait for a lock .* Trying again in 5 s/)])
      yield* adminQuery(url, `SELECT 1 FROM ${table}`)
      expect(yield* adminQuery(url, `SELECT max(migration_id) FROM ${Schema.migrationsTable}`)).toEqual([{ max: 15 }])
      yield* endBackup
      goOn()
      yield* Fiber.join(migrating)
    })
  )
}

migrationContract("postgres", (schemaVersion, rows, statements) =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    yield* migrateTo(url, schemaVersion)
    for (const { row, table } of rows) yield* insert(url, table, row)
    for (const statement of statements) yield* adminQuery(url, statement)
    return Context.get(yield* Layer.build(layer({ url: Redacted.make(url) })), Storage)
  })
)
