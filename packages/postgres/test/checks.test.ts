import { expect, it } from "@effect/vitest"
import { CommitOutcome, changes, check, row, Storage } from "@parley/core"
import { layer } from "@parley/postgres"
import { freshPostgres } from "@parley/testkit/databases"
import * as Rows from "@parley/testkit/rows"
import { Context, Effect, Layer, Redacted } from "effect"
import { foreignConnection } from "./foreignConnection.js"

it.scopedLive("an unlocked expect does not wait for a row that another transaction locks", () =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    const storage = Context.get(yield* Layer.build(layer({ url: Redacted.make(url) })), Storage)
    const ids = Rows.makeTestIds(92)
    const [id, workspaceId] = [ids.next(1), ids.next(1)]
    yield* storage.commit(changes(workspaceId, { inserts: [row("endpoints", Rows.anEndpoint({ id, workspaceId }))] }))
    const other = yield* foreignConnection(url)
    yield* Effect.promise(() => other.query("BEGIN; SELECT 1 FROM endpoints FOR UPDATE"))
    const outcome = yield* storage.commit(
      changes(workspaceId, { expects: [check("endpoints", { id }, { consecutiveFailures: 0 })] })
    )
    expect(outcome).toEqual(CommitOutcome.Committed({ bumped: [] }))
    yield* Effect.promise(() => other.query("ROLLBACK"))
  })
)
