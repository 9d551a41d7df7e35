import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import { type AnyLookup, keys, row, Storage, type TableName } from "@parley/core"
import { layer } from "@parley/postgres"
import { Schema, tableOf } from "@parley/sql"
import { adminQuery, freshPostgres } from "@parley/testkit"
import * as Rows from "@parley/testkit/rows"
import { Context, Effect, Layer, Redacted } from "effect"
import { dialect } from "../src/dialect.js"
import { initial } from "../src/migrations/0001_initial.js"
import { publicInterface } from "../src/migrations/0002_public_interface.js"
import { migrations } from "../src/migrations/index.js"

/** Writes a row as it is stored into the columns that there are. */
const insert = (url: string, name: TableName, row: object) => {
  const { columns, sql: table } = tableOf(name)
  const stored = Object.fromEntries(columns.map(({ name, sql }) => [sql, row[name as keyof typeof row]]))
  const text = JSON.stringify(stored).replaceAll("'", "''")
  return adminQuery(url, `INSERT INTO ${table} SELECT * FROM json_populate_record(null::${table}, '${text}'::json)`)
}

it.live("lists contacts that were there before lists were", () =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    yield* Schema.migrate(
      { ...dialect, schemaVersion: 2 },
      { "0001_initial": initial, "0002_public": publicInterface }
    ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url) })))
    const contact = Rows.aContact({ tags: ["VIP", "new"] })
    const long = Rows.aContact({ id: Rows.someWorkspaceId, nameKey: "b".repeat(5_000), tags: ["VIP"] })
    for (const one of [contact, long]) yield* insert(url, "contacts", one)
    const storage = Context.get(yield* Layer.build(layer({ url: Redacted.make(url) })), Storage)
    const list = (filter: object) =>
      storage.listContacts(
        {
          workspaceId: Rows.someWorkspaceId,
          search: null,
          lifecycleStage: null,
          tag: null,
          channel: null,
          createdAfter: null,
          ...filter
        },
        { offset: 0, limit: 9 }
      )
    const both = { rows: [contact, { ...long, nameKey: "b".repeat(255) }], total: 2 }
    for (const filter of [{}, { tag: "VIP" }, { channel: "whatsapp", tag: "VIP" }, { search: "ada" }]) {
      expect(yield* list(filter)).toEqual(both)
    }
    expect(yield* list({ tag: "new" })).toEqual({ rows: [contact], total: 1 })
  }).pipe(Effect.scoped)
)

/** Rows of tables that automations added columns to, with what those are at first. */
const before = [
  row("workspaces", Rows.aWorkspace({ timezone: "UTC" })),
  row(
    "workflows",
    Rows.aWorkflow({
      id: Rows.someWorkflowId,
      definition: { conditions: null, actions: [] },
      versionId: null,
      versions: 0,
      edited: true,
      secret: null
    })
  ),
  row("conversations", Rows.aConversation({ botSessionId: null })),
  row("messages", Rows.aMessage({ id: Rows.someContactId, workflowRunId: null, botSessionId: null, html: null })),
  row("providerMessages", Rows.aProviderMessage())
]

/** All of them as they are read. */
const readAll = (storage: Storage) =>
  Effect.forEach(before, ({ row, table }) => {
    const where = Object.fromEntries(keys[table].map((column) => [column, row[column as keyof typeof row]]))
    return Effect.map(storage.read({ found: { from: table, where } as AnyLookup }), ({ found }) => found)
  })

it.live("brings along what was there before automations were", () =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    const { "0006_automations": _, ...earlier } = migrations
    yield* Schema.migrate({ ...dialect, schemaVersion: 5 }, earlier).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(url) }))
    )
    for (const { row, table } of before) yield* insert(url, table, row)
    const storage = Context.get(yield* Layer.build(layer({ url: Redacted.make(url) })), Storage)
    expect(yield* readAll(storage)).toEqual(before.map(({ row }) => [row]))
  }).pipe(Effect.scoped)
)
