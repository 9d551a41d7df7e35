import { expect, it } from "@effect/vitest"
import {
  type AnyLookup,
  type Connection,
  type Contact,
  changes,
  expect as expects,
  keys,
  lookup,
  type RowOf,
  remove,
  row,
  type Storage,
  set,
  type TableName
} from "@parley/core"
import { Effect, type Scope } from "effect"
import { describe } from "vitest"
import * as Rows from "./rows.js"

/**
 * Creates a database at this schema version with these rows, runs the statements on it, and opens it with the present
 * version.
 */
export type Upgrade = (
  schemaVersion: number,
  rows: ReadonlyArray<RowOf<TableName>>,
  statements: ReadonlyArray<string>
) => Effect.Effect<Storage, unknown, Scope.Scope>

/** What the migrations of an adapter must keep of data written by earlier versions. */
export const migrationContract = (name: string, upgrade: Upgrade): void => {
  describe(`migrations on ${name}`, () => {
    it.scopedLive("list contacts created before there were list tables", () =>
      Effect.gen(function* () {
        const contact = Rows.aContact({ tags: ["VIP", "new"] })
        const long = Rows.aContact({ id: Rows.someWorkspaceId, nameKey: "b".repeat(5_000), tags: ["VIP"] })
        const storage = yield* upgrade(2, [row("contacts", contact), row("contacts", long)], [])
        const list = listOf(storage)
        const both = { rows: [contact, { ...long, nameKey: "b".repeat(255) }], total: 2 }
        for (const filter of [{}, { tag: "VIP" }, { channel: "whatsapp", tag: "VIP" }, { search: "ada" }]) {
          expect(yield* list(filter)).toEqual(both)
        }
        expect(yield* list({ tag: "new" })).toEqual({ rows: [contact], total: 1 })
      })
    )

    it.scopedLive("continue with lists that triggers maintained before", () =>
      Effect.gen(function* () {
        const [ada, bob, zoe, gone] = ["ada", "bob", "zoe", "gone"].map((nameKey, n) =>
          Rows.aContact({
            id: `01900000-0000-7000-8000-00000000010${n}`,
            nameKey,
            searchKey: nameKey,
            tags: ["VIP", nameKey]
          })
        ) as [Contact, Contact, Contact, Contact]
        const storage = yield* upgrade(
          6,
          [ada, bob, gone].map((contact) => row("contacts", contact)),
          [
            `UPDATE contacts SET tags = '["new"]', name_key = 'adele', search_key = 'adele' WHERE id = '${ada.id}'`,
            `DELETE FROM contacts WHERE id = '${gone.id}'`
          ]
        )
        const totals = (filters: ReadonlyArray<object>) =>
          Effect.forEach(filters, (filter) =>
            Effect.map(listOf(storage)(filter), ({ rows, total }) => [total, ...rows.map(({ nameKey }) => nameKey)])
          )
        const filters = [
          {},
          { tag: "VIP" },
          { tag: "new" },
          { tag: "gone" },
          { search: "adele" },
          { channel: "whatsapp" }
        ]
        expect(yield* totals(filters)).toEqual([
          [2, "adele", "bob"],
          [1, "bob"],
          [1, "adele"],
          [0],
          [1, "adele"],
          [2, "adele", "bob"]
        ])
        yield* storage.commit(
          changes(Rows.someWorkspaceId, {
            expects: [expects("contacts", { id: ada.id }), expects("contacts", { id: bob.id })],
            sets: [set("contacts", { id: ada.id }, { tags: ["VIP", "new"] })],
            deletes: [remove("contacts", { id: bob.id })],
            inserts: [row("contacts", zoe)]
          })
        )
        expect(yield* totals(filters)).toEqual([
          [2, "adele", "zoe"],
          [2, "adele", "zoe"],
          [1, "adele"],
          [0],
          [1, "adele"],
          [2, "adele", "zoe"]
        ])
      })
    )

    it.scopedLive("keep rows created before there were automations", () =>
      Effect.gen(function* () {
        const storage = yield* upgrade(5, beforeAutomations, [])
        expect(yield* readAll(storage, beforeAutomations)).toEqual(beforeAutomations.map(({ row }) => [row]))
      })
    )

    it.scopedLive("keep templates as of no account, which may have the names of others", () =>
      Effect.gen(function* () {
        const template = Rows.aTemplate({ id: Rows.someContactId })
        const storage = yield* upgrade(13, [row("templates", template)], [])
        const { channel, language, name, workspaceId } = template
        const add = (id: string, account: string) =>
          storage.commit(changes(workspaceId, { claims: [row("templates", { ...template, id, account })] }))
        expect((yield* add(Rows.someWorkspaceId, "1"))._tag).toBe("Committed")
        expect((yield* add(Rows.someWorkflowId, "1"))._tag).toBe("Conflict")
        expect((yield* add(Rows.someWorkflowId, ""))._tag).toBe("Conflict")
        const { found } = yield* storage.read({ found: lookup("templates", { workspaceId, channel, name, language }) })
        expect(found).toHaveLength(2)
        expect(found).toContainEqual(template)
      })
    )

    it.scopedLive("give each account to its oldest active connection, and report the others", () =>
      Effect.gen(function* () {
        const elsewhere = "01900000-0000-7000-8000-0000000000c1"
        const id = (n: number) => `01900000-0000-7000-8000-00000000020${n}`
        const connection = (n: number, given: Partial<Connection>) =>
          row(
            "connections",
            Rows.aConnection({ id: id(n), provider: "whatsapp", config: { phone_number_id: `${n}` }, ...given })
          )
        const page = { provider: "messenger", channel: "facebook", config: { page_id: "77" } } as const
        const rows = [
          connection(1, { status: "disconnected" }),
          connection(2, { status: "paused" }),
          connection(3, {}),
          connection(4, { workspaceId: elsewhere }),
          connection(5, { handle: "+4930111111", config: { phone_number_id: "3" } }),
          connection(6, { ...page, handle: "@shop" }),
          connection(7, { ...page, handle: "@store" }),
          connection(8, { ...page, channel: "instagram", handle: "@shop" }),
          connection(9, { provider: "sandbox" })
        ]
        const storage = yield* upgrade(8, [row("workspaces", Rows.aWorkspace()), ...rows], [])
        const names = { provider: "whatsapp", channel: "whatsapp" } as const
        const found = yield* storage.read({
          numbers: lookup("accounts", { ...names, space: "handle", name: "+4930000000" }),
          ids: lookup("accounts", { ...names, space: "vendor", name: "3" }),
          pages: lookup("accounts", { provider: "messenger", channel: "facebook", space: "vendor", name: "77" }),
          instagram: lookup("accounts", {
            provider: "messenger",
            channel: "instagram",
            space: "handle",
            name: "@shop"
          }),
          sandbox: lookup("accounts", { ...names, provider: "sandbox", space: "handle", name: "+4930000000" })
        })
        expect(
          Object.fromEntries(
            Object.entries(found).map(([key, accounts]) => [key, accounts.map(({ connectionId }) => connectionId)])
          )
        ).toEqual({ numbers: [id(3)], ids: [id(3)], pages: [id(6)], instagram: [id(8)], sandbox: [] })
        const notices = yield* storage.list({ from: "notifications", where: {}, after: null, limit: 9 })
        expect(notices.map(({ kind, subjectId }) => [kind, subjectId]).sort()).toEqual(
          [2, 4, 5, 7].map((n) => ["connection.account_shared", id(n)])
        )
        const foreign = notices.find(({ subjectId }) => subjectId === id(4))
        expect(foreign?.workspaceId).toBe(elsewhere)
        expect(foreign?.message).not.toContain(id(3))
      })
    )
  })
}

const listOf = (storage: Storage) => (filter: object) =>
  storage.listContacts(Rows.everyContact(Rows.someWorkspaceId, filter), { offset: 0, limit: 9 })

/** Rows of tables to which automations added columns, with the initial values of these columns. */
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
