import { expect, it } from "@effect/vitest"
import { changes, row, Storage } from "@parley/core"
import { layer, migrate } from "@parley/postgres"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { aContact } from "@parley/testkit/rows"
import { makeTestIds } from "@parley/testkit/services"
import { Context, Effect, Layer, Redacted } from "effect"
import { foreignConnection } from "./foreignConnection.js"

const ids = makeTestIds(43)
const workspaceId = ids.next(1)

/** A connection of another host. Its statements run one after the other. */
const foreign = (url: string) =>
  Effect.map(foreignConnection(url), (client) => (statement: string) => Effect.promise(() => client.query(statement)))

it.scopedLive(
  "counts a list while another transaction counts it, and stores at most one row for each concurrent transaction",
  () =>
    Effect.gen(function* () {
      const url = yield* freshPostgres
      yield* migrate({ url: Redacted.make(url) })
      const storage = Context.get(yield* Layer.build(layer({ url: Redacted.make(url), migrate: false })), Storage)
      const write = (n: number) =>
        storage.commit(
          changes(workspaceId, {
            inserts: [row("contacts", aContact({ id: ids.next(1), workspaceId, tags: [`${n}`] }))]
          })
        )
      const rows = adminQuery(
        url,
        "SELECT count(*)::int AS kept, sum(n)::int AS contacts FROM contact_counts WHERE facet = ''"
      )
      const query = yield* foreign(url)

      yield* write(0)
      yield* query("BEGIN")
      yield* query("SELECT 1 FROM contact_counts FOR UPDATE")
      // The lock is released only afterwards: a commit that waited for it would fail as busy.
      for (let n = 1; n <= 5; n++) expect((yield* write(n))._tag).toBe("Committed")
      yield* query("COMMIT")
      expect(yield* rows).toEqual([{ kept: 2, contacts: 6 }])
      for (let n = 6; n <= 20; n++) yield* write(n)
      expect(yield* rows).toEqual([{ kept: 2, contacts: 21 }])
    }),
  60_000
)
