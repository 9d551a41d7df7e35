import { expect, it } from "@effect/vitest"
import { changes, row, Storage } from "@parley/core"
import { layer, migrate, recountContacts } from "@parley/postgres"
import { makeTestIds, recountContract } from "@parley/testkit"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { aContact } from "@parley/testkit/rows"
import { Context, Effect, Layer, Redacted } from "effect"

const open = (url: string) =>
  Effect.map(Layer.build(Layer.fresh(layer({ url: Redacted.make(url), migrate: false }))), Context.get(Storage))

const database = Effect.tap(freshPostgres, (url) => migrate({ url: Redacted.make(url) }))

recountContract(
  "postgres",
  Effect.map(database, (url) => ({
    open: open(url),
    run: (statement) => adminQuery(url, statement),
    recount: recountContacts({ url: Redacted.make(url) })
  }))
)

it.scopedLive(
  "counts exactly while hosts write contacts",
  () =>
    Effect.gen(function* () {
      const url = yield* database
      const ids = makeTestIds(41)
      const workspaceId = ids.next(1)
      const hosts = [yield* open(url), yield* open(url)] as const
      const written: Array<string> = []
      const write = (n: number) => {
        const id = ids.next(1)
        const contact = aContact({ id, workspaceId, nameKey: `name ${n}`, tags: [`tag ${n % 3}`] })
        return hosts[n % 2 === 0 ? 0 : 1].commit(changes(workspaceId, { inserts: [row("contacts", contact)] })).pipe(
          Effect.tap(() => Effect.sync(() => written.push(id))),
          // A long recount makes hosts fail as busy, without a write.
          Effect.catchTag("StorageBusy", () => Effect.void)
        )
      }
      const writing = Effect.forEach(
        Array.from({ length: 300 }, (_, n) => n),
        write,
        { concurrency: 8 }
      )
      const recounting = Effect.repeatN(recountContacts({ url: Redacted.make(url) }), 3)
      yield* Effect.all([writing, recounting], { concurrency: 2 })
      const counted = yield* adminQuery(
        url,
        "SELECT sum(n)::int AS kept, (SELECT count(*)::int FROM contacts) AS there FROM contact_counts WHERE facet = ''"
      )
      expect(counted).toEqual([{ kept: written.length, there: written.length }])
      expect(yield* recountContacts({ url: Redacted.make(url) })).toEqual({ wrongCounts: 0 })
    }),
  60_000
)
