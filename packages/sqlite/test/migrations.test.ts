import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { expect, it } from "@effect/vitest"
import { type Contact, Storage } from "@parley/core"
import { Schema, tableOf } from "@parley/sql"
import { layer } from "@parley/sqlite"
import * as Rows from "@parley/testkit/rows"
import { Context, Effect, Layer } from "effect"
import { dialect } from "../src/dialect.js"
import { initial } from "../src/migrations/0001_initial.js"
import { publicInterface } from "../src/migrations/0002_public_interface.js"

/** A row as it is stored. */
const stored = (contact: Contact): ReadonlyArray<unknown> =>
  tableOf("contacts").columns.map(({ kind, name }) => {
    const value = contact[name as keyof Contact]
    return kind === "json" ? JSON.stringify(value) : kind === "boolean" ? Number(value) : value
  })

it.scopedLive("lists contacts that were there before lists were", () =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "parley-sqlite-"))),
      (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
    )
    const filename = join(folder, "parley.db")
    const contact = Rows.aContact({ tags: ["VIP", "new"] })
    const long = Rows.aContact({ id: Rows.someWorkspaceId, nameKey: "b".repeat(5_000), tags: ["VIP"] })
    yield* Effect.gen(function* () {
      yield* Schema.migrate(
        { ...dialect, schemaVersion: 2 },
        { "0001_initial": initial, "0002_public": publicInterface }
      )
      const sql = yield* SqlClient
      const columns = tableOf("contacts").columns
      for (const one of [contact, long]) {
        yield* sql.unsafe(
          `INSERT INTO contacts (${columns.map(({ sql }) => sql)}) VALUES (${columns.map(() => "?")})`,
          stored(one)
        )
      }
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
