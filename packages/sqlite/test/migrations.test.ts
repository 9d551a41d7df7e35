import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { Storage, type TableName } from "@parley/core"
import { Schema, tableOf } from "@parley/sql"
import { layer } from "@parley/sqlite"
import { migrationContract } from "@parley/testkit"
import { Context, Effect, Layer } from "effect"
import { dialect } from "../src/dialect.js"
import { migrations } from "../src/migrations/index.js"

/** Writes a row as it is stored into the columns that there are. */
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

/** A place for a database file, for as long as the scope lives. */
const temporaryFile = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-sqlite-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
).pipe(Effect.map((folder) => join(folder, "parley.db")))

migrationContract("sqlite", (schemaVersion, rows) =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    const earlier = Object.fromEntries(Object.entries(migrations).slice(0, schemaVersion))
    yield* Effect.gen(function* () {
      yield* Schema.migrate({ ...dialect, schemaVersion }, earlier)
      for (const { row, table } of rows) yield* insert(table, row)
    }).pipe(Effect.provide(SqliteClient.layer({ filename })))
    return Context.get(yield* Layer.build(layer({ file: filename })), Storage)
  })
)
