import { expect, it } from "@effect/vitest"
import { type AnyLookup, keys, type RowOf, row, type Storage, type TableName } from "@parley/core"
import { Effect, type Scope } from "effect"
import { describe } from "vitest"
import * as Rows from "./rows.js"

/** Makes a database with these rows as that version of the schema has them, and opens it as this version does. */
export type Upgrade = (
  schemaVersion: number,
  rows: ReadonlyArray<RowOf<TableName>>
) => Effect.Effect<Storage, unknown, Scope.Scope>

/** What the migrations of an adapter of this repository must keep of what earlier versions wrote. */
export const migrationContract = (name: string, upgrade: Upgrade): void => {
  describe(`migrations on ${name}`, () => {
    it.scopedLive("list contacts that were there before lists were", () =>
      Effect.gen(function* () {
        const contact = Rows.aContact({ tags: ["VIP", "new"] })
        const long = Rows.aContact({ id: Rows.someWorkspaceId, nameKey: "b".repeat(5_000), tags: ["VIP"] })
        const storage = yield* upgrade(2, [row("contacts", contact), row("contacts", long)])
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

    it.scopedLive("bring along what was there before automations were", () =>
      Effect.gen(function* () {
        const storage = yield* upgrade(5, beforeAutomations)
        expect(yield* readAll(storage, beforeAutomations)).toEqual(beforeAutomations.map(({ row }) => [row]))
      })
    )
  })
}

/** Rows of tables that automations added columns to, with what those are at first. */
const beforeAutomations: ReadonlyArray<RowOf<TableName>> = [
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

const readAll = (storage: Storage, rows: ReadonlyArray<RowOf<TableName>>) =>
  Effect.forEach(rows, ({ row, table }) => {
    const where = Object.fromEntries(keys[table].map((column) => [column, row[column as keyof typeof row]]))
    return Effect.map(storage.read({ found: { from: table, where } as AnyLookup }), ({ found }) => found)
  })
