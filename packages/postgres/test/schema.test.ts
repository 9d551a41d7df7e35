import { expect, it } from "@effect/vitest"
import { lookup, Storage, Wakeup } from "@parley/core"
import { layer, migrate } from "@parley/postgres"
import { SchemaMismatch, tables } from "@parley/sql"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { Context, Effect, Layer, Queue, Redacted } from "effect"
import { migrations, schemaVersion } from "../src/migrations/index.js"

const open = (url: string, more = {}) => Effect.scoped(Layer.build(layer({ url: Redacted.make(url), ...more })))

it.live("has the columns that the code reads and writes", () =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    yield* migrate({ url: Redacted.make(url) })
    const rows = yield* adminQuery(
      url,
      "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'NEVER'"
    )
    for (const table of tables) {
      const found = rows.filter((row) => row.table_name === table.sql).map((row) => row.column_name)
      expect([table.sql, found.sort()]).toEqual([table.sql, table.columns.map(({ sql }) => sql).sort()])
    }
  }).pipe(Effect.scoped)
)

it.live("refuses a database of another version, and one that lacks migrations if `migrate` is false", () =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    expect(yield* Effect.flip(open(url, { migrate: false }))).toEqual(
      new SchemaMismatch({ found: 0, wanted: schemaVersion })
    )
    yield* open(url)
    yield* open(url, { migrate: false })
    yield* adminQuery(url, "INSERT INTO parley_migrations (migration_id, name) VALUES (99, 'later')")
    expect(yield* Effect.flip(open(url))).toEqual(new SchemaMismatch({ found: 99, wanted: schemaVersion }))
  }).pipe(Effect.scoped)
)

it.live("is unhealthy after the schema version changed", () =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    const storage = Context.get(yield* Layer.build(layer({ url: Redacted.make(url) })), Storage)
    yield* storage.check
    yield* adminQuery(url, "INSERT INTO parley_migrations (migration_id, name) VALUES (99, 'later')")
    expect((yield* Effect.flip(storage.check)).cause).toBeInstanceOf(SchemaMismatch)
  }).pipe(Effect.scoped)
)

it.live("migrates once when two hosts start together", () =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    yield* Effect.all([open(url), open(url), open(url)], { concurrency: "unbounded" })
    expect(yield* adminQuery(url, "SELECT migration_id FROM parley_migrations")).toHaveLength(
      Object.keys(migrations).length
    )
  }).pipe(Effect.scoped)
)

it.live("sends wakeup hints to other hosts", () =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    const [one, other] = yield* Effect.all(
      [1, 2].map(() => Layer.build(Layer.fresh(layer({ url: Redacted.make(url) }))))
    )
    if (one === undefined || other === undefined) return
    yield* Context.get(one, Storage).read({ found: lookup("jobs", { id: "none" }) })
    const hints = yield* Context.get(other, Wakeup).hints
    // The other host may not listen yet, and hints can be lost: repeat the hint until it arrives.
    const received = yield* Effect.race(
      Queue.take(hints),
      Effect.forever(Effect.zipRight(Context.get(one, Wakeup).notify(new Set(["sends"])), Effect.sleep("20 millis")))
    )
    expect([...received]).toEqual(["sends"])
  }).pipe(Effect.scoped)
)
