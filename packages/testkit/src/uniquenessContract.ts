import {
  type AnyLookup,
  ChangesRejected,
  type ClaimTable,
  changes,
  expect as expects,
  type FeedEntry,
  keys,
  lookup,
  remove,
  row,
  set,
  uniques
} from "@parley/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type Database, onHosts } from "./contractHosts.js"
import * as Rows from "./rows.js"

type Values = { readonly [column: string]: string }

/** The unique columns of a row to claim: its values, and other ones. */
type Samples = { readonly [T in ClaimTable]: { readonly values: Values; readonly others: Values } }

const samples = (id: () => string): Samples => ({
  workspaces: { values: { id: id() }, others: { id: id() } },
  idempotency: { values: { applicationId: id(), key: "order-1" }, others: { applicationId: id(), key: "order-2" } },
  addresses: {
    values: { workspaceId: id(), space: "phone", handle: "+1" },
    others: { workspaceId: id(), space: "email", handle: "+2" }
  },
  providerMessages: {
    values: { connectionId: id(), providerMessageId: "7" },
    others: { connectionId: id(), providerMessageId: "8" }
  },
  customFields: { values: { workspaceId: id(), key: "plan" }, others: { workspaceId: id(), key: "plans" } },
  tags: { values: { workspaceId: id(), folded: "vip" }, others: { workspaceId: id(), folded: "vips" } },
  accessTokens: { values: { hash: id() }, others: { hash: id() } },
  runKeys: {
    values: { applicationId: id(), key: "order-1", workflowId: id() },
    others: { applicationId: id(), key: "order-2", workflowId: id() }
  },
  accounts: {
    values: { provider: "whatsapp", channel: "whatsapp", space: "handle", name: id() },
    others: { provider: "sandbox", channel: "sms", space: "vendor", name: id() }
  },
  endpoints: { values: { id: id() }, others: { id: id() } },
  apiKeys: { values: { hash: id() }, others: { hash: id() } },
  oauthClients: { values: { clientId: id() }, others: { clientId: id() } },
  templates: {
    values: { workspaceId: id(), channel: "whatsapp", name: "ready", language: "en", account: "" },
    others: { workspaceId: id(), channel: "email", name: "ready_2", language: "de", account: "123" }
  },
  conversations: {
    values: { connectionId: id(), handle: "+1" },
    others: { connectionId: id(), handle: "+2" }
  }
})

/**
 * Texts that a database must keep apart, though some have collations in which they are equal. The longest have the
 * greatest length of a vendor's message id.
 */
const distinctTexts: ReadonlyArray<string> = [
  "order",
  "Order",
  "ORDER",
  "order ",
  " order",
  "order\t",
  "e",
  "\u00e9",
  "e\u0301",
  "\u00df",
  "ss",
  "1",
  "01",
  "1.0",
  "%",
  "_",
  "\ud83d\udc90",
  "\ud83d\udc8e",
  `${"x".repeat(511)}a`,
  `${"x".repeat(511)}b`
]

/** Rows are unique in their unique columns, and in nothing less. */
export const uniquenessContract = (database: Database, options: { readonly hosts: 1 | 2 }): void =>
  onHosts("uniqueness", database, options, (test) => {
    const claimable = (id: () => string) => {
      const make = {
        workspaces: Rows.aWorkspace,
        idempotency: Rows.anIdempotencyRecord,
        addresses: Rows.anAddress,
        providerMessages: Rows.aProviderMessage,
        customFields: Rows.aCustomField,
        tags: Rows.aTag,
        accessTokens: Rows.anAccessToken,
        runKeys: Rows.aRunKey,
        accounts: Rows.aHeldAccount,
        endpoints: Rows.anEndpoint,
        apiKeys: Rows.anApiKey,
        oauthClients: Rows.anOAuthClient,
        templates: Rows.aTemplate,
        conversations: Rows.aConversation
      } satisfies { readonly [T in ClaimTable]: unknown }
      return (table: ClaimTable, values: Values) => {
        const made = make[table] as (given: object) => never
        return row(table, made({ ...(table in uniques ? { id: id() } : {}), ...values }))
      }
    }

    test("claims rows that differ in one unique column, and none twice, in every table", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const id = () => ids.next(1)
        const rowOf = claimable(id)
        const workspaceId = id()
        const commit = (host: typeof one, parts: Parameters<typeof changes>[1]) =>
          Effect.map(host.commit(changes(workspaceId, parts ?? {})), ({ _tag }) => _tag)
        for (const first of ["claims", "inserts"] as const) {
          for (const [table, { others, values }] of Object.entries(samples(id)) as ReadonlyArray<
            [ClaimTable, Samples[ClaimTable]]
          >) {
            const columns: ReadonlyArray<string> = table in uniques ? uniques[table as "apiKeys"] : keys[table]
            expect([table, Object.keys(values).sort()]).toEqual([table, [...columns].sort()])
            const all = [values, ...columns.map((column) => ({ ...values, [column]: others[column] ?? "" }))]
            const rows = all.map((each) => rowOf(table, each))
            for (const each of rows) {
              expect([each, yield* commit(one, { [first]: [each] })]).toEqual([each, "Committed"])
            }
            for (const [n, each] of all.entries()) {
              expect([each, yield* commit(other, { claims: [rowOf(table, each)] })]).toEqual([each, "Conflict"])
              const { found } = yield* other.read({ found: { from: table, where: each } as AnyLookup })
              expect(found).toEqual([rows[n]?.row])
            }
          }
        }
      }))

    test("keeps keys apart that differ in case, accents, white space or their last character", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const id = () => ids.next(1)
        const rowOf = claimable(id)
        const workspaceId = id()
        const columns = [
          ["idempotency", "key"],
          ["addresses", "handle"],
          ["providerMessages", "providerMessageId"],
          ["tags", "folded"],
          ["runKeys", "key"],
          ["accounts", "name"],
          ["conversations", "handle"]
        ] as const satisfies ReadonlyArray<readonly [ClaimTable, string]>
        const all = samples(id)
        for (const [table, column] of columns) {
          const values = distinctTexts.map((text) => ({ ...all[table].values, [column]: text }))
          const rows = () => values.map((each) => rowOf(table, each))
          const claim = (host: typeof one, claimed: ReturnType<typeof rows>) =>
            Effect.forEach(
              claimed,
              (each) => Effect.map(host.commit(changes(workspaceId, { claims: [each] })), ({ _tag }) => _tag),
              { concurrency: "unbounded" }
            )
          const first = rows()
          expect([table, yield* claim(one, first)]).toEqual([table, distinctTexts.map(() => "Committed")])
          expect([table, yield* claim(other, rows())]).toEqual([table, distinctTexts.map(() => "Conflict")])
          const found = yield* Effect.forEach(values, (where) =>
            other.read({ found: { from: table, where } as AnyLookup })
          )
          expect([table, found]).toEqual([table, first.map(({ row }) => ({ found: [row] }))])
        }
      }))

    test("keeps the feeds of two conversations apart, and refuses an entry twice", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const entries = [ids.next(1), ids.next(1)].flatMap((conversationId) =>
          [1, 2].map((sequence) => Rows.aFeedEntry({ conversationId, sequence, workspaceId, messageId: ids.next(1) }))
        )
        const insert = (entry: FeedEntry) => changes(workspaceId, { inserts: [row("feed", entry)] })
        for (const entry of entries) yield* one.commit(insert(entry))
        const taken = yield* Effect.flip(other.commit(insert({ ...(entries[0] as FeedEntry), messageId: ids.next(1) })))
        expect(taken).toBeInstanceOf(ChangesRejected)
        const found = yield* Effect.forEach(entries, ({ conversationId, sequence }) =>
          other.read({ found: lookup("feed", { conversationId, sequence }) })
        )
        expect(found).toEqual(entries.map((entry) => ({ found: [entry] })))
      }))

    test("frees the unique values of a row that was changed, deleted or purged", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, id] = [ids.next(1), ids.next(1)]
        const template = (name: string, id = ids.next(1)) =>
          changes(workspaceId, { claims: [row("templates", Rows.aTemplate({ id, workspaceId, name }))] })
        const expected = { expects: [expects("templates", { id })] }
        expect((yield* one.commit(template("first", id)))._tag).toBe("Committed")
        yield* one.commit(changes(workspaceId, expected, { sets: [set("templates", { id }, { name: "second" })] }))
        expect((yield* other.commit(template("second")))._tag).toBe("Conflict")
        expect((yield* other.commit(template("first")))._tag).toBe("Committed")
        yield* one.commit(changes(workspaceId, expected, { deletes: [remove("templates", { id })] }))
        expect((yield* other.commit(template("second")))._tag).toBe("Committed")
        const record = Rows.anIdempotencyRecord({ workspaceId, applicationId: workspaceId, expiresAt: 5 })
        const claim = changes(workspaceId, { claims: [row("idempotency", record)] })
        expect((yield* one.commit(claim))._tag).toBe("Committed")
        yield* one.purge("idempotency", 6, 10)
        expect((yield* other.commit(claim))._tag).toBe("Committed")
      }))
  })
