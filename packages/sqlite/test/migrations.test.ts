import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { expect, it } from "@effect/vitest"
import { type AnyLookup, keys, row, Storage, type TableName } from "@parley/core"
import { Schema, tableOf } from "@parley/sql"
import { layer } from "@parley/sqlite"
import * as Rows from "@parley/testkit/rows"
import { Context, Effect, Layer } from "effect"
import { dialect } from "../src/dialect.js"
import { initial } from "../src/migrations/0001_initial.js"
import { publicInterface } from "../src/migrations/0002_public_interface.js"
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

it.scopedLive("lists contacts that were there before lists were", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    const contact = Rows.aContact({ tags: ["VIP", "new"] })
    const long = Rows.aContact({ id: Rows.someWorkspaceId, nameKey: "b".repeat(5_000), tags: ["VIP"] })
    yield* Effect.gen(function* () {
      yield* Schema.migrate(
        { ...dialect, schemaVersion: 2 },
        { "0001_initial": initial, "0002_public": publicInterface }
      )
      for (const one of [contact, long]) yield* insert("contacts", one)
    }).pipe(Effect.provide(SqliteClient.layer({ filename })))
    const storage = Context.get(yield* Layer.build(layer({ file: filename })), Storage)
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
  })
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

it.scopedLive("brings along what was there before automations were", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    const { "0006_automations": _, ...earlier } = migrations
    yield* Effect.gen(function* () {
      yield* Schema.migrate({ ...dialect, schemaVersion: 5 }, earlier)
      for (const { row, table } of before) yield* insert(table, row)
    }).pipe(Effect.provide(SqliteClient.layer({ filename })))
    const storage = Context.get(yield* Layer.build(layer({ file: filename })), Storage)
    expect(yield* readAll(storage)).toEqual(before.map(({ row }) => [row]))
  })
)
