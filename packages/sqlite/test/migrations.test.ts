import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import { Storage, type TableName } from "@parley/core"
import { Schema, tableOf } from "@parley/sql"
import { layer } from "@parley/sqlite"
import { migrationContract } from "@parley/testkit"
import { Context, Effect, Layer } from "effect"
import { dialect } from "../src/dialect.js"
import { migrations } from "../src/migrations/index.js"
import { clientOn } from "./drivers.js"
import { lists } from "./released/0003_lists.js"

/** Writes a row into those of its columns that the table has. */
const insert = (name: TableName, row: object) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const table = tableOf(name)
    const there = (yield* sql.unsafe<{ readonly name: string }>(`PRAGMA table_info(${table.sql})`)).map(
      ({ name }) => name
    )
    const columns = table.columns.filter((column) => there.includes(column.sql))
    yield* sql.unsafe(
      `INSERT INTO ${table.sql} (${columns.map(({ sql }) => sql)}) VALUES (${columns.map(() => "?")})`,
      columns.map(({ kind, name }) => {
        const value: unknown = row[name as keyof typeof row]
        return kind === "json" ? JSON.stringify(value) : kind === "boolean" ? Number(value) : value
      })
    )
  })

/** The path of a database file that exists as long as the scope. */
const temporaryFile = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-sqlite-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
).pipe(Effect.map((folder) => join(folder, "parley.db")))

/** The migrations of earlier versions, which kept the lists of contacts by triggers. */
const released = { ...migrations, "0003_lists": lists }

/** Migrates to this schema version. */
const migrateTo = (schemaVersion: number) =>
  Schema.migrate({ ...dialect, schemaVersion }, Object.fromEntries(Object.entries(released).slice(0, schemaVersion)))

const triggers = Effect.flatMap(SqlClient, (sql) => sql.unsafe("SELECT name FROM sqlite_master WHERE type = 'trigger'"))

it.scopedLive("leave no triggers", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    const before = yield* Effect.zipRight(migrateTo(6), triggers).pipe(Effect.provide(clientOn(filename)))
    expect(before).not.toEqual([])
    yield* Effect.scoped(Layer.build(layer({ file: filename })))
    expect(yield* Effect.provide(triggers, clientOn(filename))).toEqual([])
    expect(
      yield* Effect.provide(Effect.zipRight(Schema.migrate(dialect, migrations), triggers), clientOn(":memory:"))
    ).toEqual([])
  })
)

migrationContract("sqlite", (schemaVersion, rows, statements) =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    yield* Effect.gen(function* () {
      yield* migrateTo(schemaVersion)
      for (const { row, table } of rows) yield* insert(table, row)
      const sql = yield* SqlClient
      for (const statement of statements) yield* sql.unsafe(statement)
    }).pipe(Effect.provide(clientOn(filename)))
    return Context.get(yield* Layer.build(layer({ file: filename })), Storage)
  })
)
