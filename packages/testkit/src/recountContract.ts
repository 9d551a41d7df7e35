import { expect, it } from "@effect/vitest"
import { type Contact, type ContactFilter, changes, row, type Storage } from "@parley/core"
import { Effect, type Scope } from "effect"
import { describe } from "vitest"
import * as Rows from "./rows.js"

/** A database whose contacts a test can change without the storage. */
export interface RecountDatabase {
  /** Opens the storage until the scope ends. */
  readonly open: Effect.Effect<Storage, unknown, Scope.Scope>
  /** Runs a statement while no storage is open. */
  readonly run: (statement: string) => Effect.Effect<unknown>
  readonly recount: Effect.Effect<{ readonly wrongCounts: number }, unknown>
}

/** The contract of the adapters' recount of contacts. Each test has its own database. */
export const recountContract = (name: string, database: Effect.Effect<RecountDatabase, unknown, Scope.Scope>): void => {
  const contact = (n: number, nameKey: string, more: Partial<Contact> = {}) =>
    Rows.aContact({
      id: `01900000-0000-7000-8000-00000000010${n}`,
      nameKey,
      searchKey: nameKey,
      tags: ["VIP"],
      ...more
    })
  const made = [contact(0, "ada"), contact(1, "bob", { tags: ["VIP", "new"] }), contact(2, "zoe")]

  const write = ({ open }: RecountDatabase) =>
    Effect.scoped(
      Effect.flatMap(open, (storage) =>
        storage.commit(changes(Rows.someWorkspaceId, { inserts: made.map((one) => row("contacts", one)) }))
      )
    )

  const list = ({ open }: RecountDatabase, filters: ReadonlyArray<Partial<ContactFilter>>) =>
    Effect.scoped(
      Effect.flatMap(open, (storage) =>
        Effect.forEach(filters, (filter) =>
          Effect.map(
            storage.listContacts(Rows.everyContact(Rows.someWorkspaceId, filter), { offset: 0, limit: 9 }),
            ({ rows, total }) => [total, ...rows.map(({ nameKey }) => nameKey)]
          )
        )
      )
    )

  const filters = [{}, { tag: "VIP" }, { tag: "new" }, { tag: "manual" }, { search: "bob" }, { search: "zoe" }]

  describe(`a recount on ${name}`, () => {
    it.scopedLive("leaves correct counts unchanged", () =>
      Effect.gen(function* () {
        const one = yield* database
        yield* write(one)
        const before = yield* list(one, filters)
        expect(yield* one.recount).toEqual({ wrongCounts: 0 })
        expect(yield* list(one, filters)).toEqual(before)
        expect(before.map(([total]) => total)).toEqual([3, 3, 1, 0, 1, 1])
      })
    )

    it.scopedLive("corrects a wrong count", () =>
      Effect.gen(function* () {
        const one = yield* database
        yield* write(one)
        yield* one.run("UPDATE contact_counts SET n = n + 7 WHERE facet = 'tag:VIP'")
        expect(yield* list(one, [{ tag: "VIP" }])).toEqual([[10, "ada", "bob", "zoe"]])
        expect(yield* one.recount).toEqual({ wrongCounts: 1 })
        expect(yield* list(one, [{ tag: "VIP" }])).toEqual([[3, "ada", "bob", "zoe"]])
        expect(yield* one.recount).toEqual({ wrongCounts: 0 })
      })
    )

    it.scopedLive("lists contacts correctly after they were changed by hand", () =>
      Effect.gen(function* () {
        const one = yield* database
        yield* write(one)
        const [ada, bob, zoe] = made.map(({ id }) => id)
        yield* one.run(`UPDATE contacts SET tags = '["manual"]' WHERE id = '${ada}'`)
        yield* one.run(`UPDATE contacts SET name_key = 'bobby', search_key = 'bobby' WHERE id = '${bob}'`)
        yield* one.run(`DELETE FROM contacts WHERE id = '${zoe}'`)
        // All, VIP, manual, stage and channel.
        expect(yield* one.recount).toEqual({ wrongCounts: 5 })
        expect(yield* list(one, filters)).toEqual([
          [2, "ada", "bobby"],
          [1, "bobby"],
          [1, "bobby"],
          [1, "ada"],
          [1, "bobby"],
          [0]
        ])
      })
    )

    it.scopedLive("rebuilds lost lists", () =>
      Effect.gen(function* () {
        const one = yield* database
        yield* write(one)
        const before = yield* list(one, filters)
        for (const table of ["contact_facets", "contact_counts", "contact_search"])
          yield* one.run(`DELETE FROM ${table}`)
        yield* one.recount
        expect(yield* list(one, filters)).toEqual(before)
      })
    )
  })
}
