import * as PgClient from "@effect/sql-pg/PgClient"
import { Storage, type TableName } from "@parley/core"
import { layer } from "@parley/postgres"
import { Schema, tableOf } from "@parley/sql"
import { adminQuery, freshPostgres, migrationContract } from "@parley/testkit"
import { Context, Effect, Layer, Redacted } from "effect"
import { dialect } from "../src/dialect.js"
import { migrations } from "../src/migrations/index.js"

/** Writes a row as it is stored into the columns that there are. */
const insert = (url: string, name: TableName, row: object) => {
  const { columns, sql: table } = tableOf(name)
  const stored = Object.fromEntries(columns.map(({ name, sql }) => [sql, row[name as keyof typeof row]]))
  const text = JSON.stringify(stored).replaceAll("'", "''")
  return adminQuery(url, `INSERT INTO ${table} SELECT * FROM json_populate_record(null::${table}, '${text}'::json)`)
}

migrationContract("postgres", (schemaVersion, rows) =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    const earlier = Object.fromEntries(Object.entries(migrations).slice(0, schemaVersion))
    yield* Schema.migrate({ ...dialect, schemaVersion }, earlier).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(url) }))
    )
    for (const { row, table } of rows) yield* insert(url, table, row)
    return Context.get(yield* Layer.build(layer({ url: Redacted.make(url) })), Storage)
  })
)
