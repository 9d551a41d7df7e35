import { expect, it } from "@effect/vitest"
import { ChangesRejected, changes, lookup, row, Storage } from "@parley/core"
import { layer } from "@parley/postgres"
import { freshPostgres } from "@parley/testkit/databases"
import { anIdempotencyRecord, makeTestIds } from "@parley/testkit/rows"
import { Context, Effect, Layer, Redacted } from "effect"

it.scopedLive(
  "a claim with an id in upper case, which the database returns in lower case, is refused and leaves no row",
  () =>
    Effect.gen(function* () {
      const url = yield* freshPostgres
      const storage = Context.get(yield* Layer.build(layer({ url: Redacted.make(url) })), Storage)
      const ids = makeTestIds(0xab)
      const [workspaceId, applicationId] = [ids.next(0xabc), ids.next(0xabc)]
      const claim = (id: string, key: string) =>
        storage.commit(
          changes(workspaceId, {
            claims: [row("idempotency", anIdempotencyRecord({ workspaceId, applicationId: id, key }))]
          })
        )
      const [refused, taken] = yield* Effect.all(
        [Effect.flip(claim(applicationId.toUpperCase(), "one")), claim(applicationId, "other")],
        { concurrency: "unbounded" }
      )
      expect(refused).toBeInstanceOf(ChangesRejected)
      expect(taken._tag).toBe("Committed")
      const { records } = yield* storage.read({ records: lookup("idempotency", { applicationId, key: "one" }) })
      expect(records).toEqual([])
    }),
  60_000
)
