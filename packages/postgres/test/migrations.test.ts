import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import { type Contact, Storage } from "@parley/core"
import { layer } from "@parley/postgres"
import { Schema, tableOf } from "@parley/sql"
import { adminQuery, freshPostgres } from "@parley/testkit"
import * as Rows from "@parley/testkit/rows"
import { Context, Effect, Layer, Redacted } from "effect"
import { dialect } from "../src/dialect.js"
import { initial } from "../src/migrations/0001_initial.js"
import { publicInterface } from "../src/migrations/0002_public_interface.js"

/** A row as it is stored. */
const stored = (contact: Contact): string =>
  JSON.stringify(
    Object.fromEntries(tableOf("contacts").columns.map(({ name, sql }) => [sql, contact[name as keyof Contact]]))
  ).replaceAll("'", "''")

it.live("lists contacts that were there before lists were", () =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    yield* Schema.migrate(
      { ...dialect, schemaVersion: 2 },
      { "0001_initial": initial, "0002_public": publicInterface }
    ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url) })))
    const contact = Rows.aContact({ tags: ["VIP", "new"] })
    const long = Rows.aContact({ id: Rows.someWorkspaceId, nameKey: "b".repeat(5_000), tags: ["VIP"] })
    for (const one of [contact, long]) {
      yield* adminQuery(
        url,
        `INSERT INTO contacts SELECT * FROM json_populate_record(null::contacts, '${stored(one)}'::json)`
      )
    }
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
