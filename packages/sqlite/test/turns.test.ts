import { expect, it } from "@effect/vitest"
import { changes, expect as expects, row, Storage, set } from "@parley/core"
import { layer } from "@parley/sqlite"
import * as Rows from "@parley/testkit/rows"
import { Context, Effect, Layer } from "effect"

it.scopedLive("changes a row in its turn among commits that look at the row", () =>
  Effect.gen(function* () {
    const storage = Context.get(yield* Layer.build(layer({ file: ":memory:" })), Storage)
    const ids = Rows.makeTestIds(92)
    const [id, workspaceId] = [ids.next(1), ids.next(1)]
    yield* storage.commit(changes(workspaceId, { inserts: [row("pipelines", Rows.aPipeline({ id, workspaceId }))] }))
    const look = Effect.suspend(() =>
      storage.commit(
        changes(workspaceId, {
          expects: [expects("pipelines", { id })],
          inserts: [row("leads", Rows.aLead({ id: ids.next(1), workspaceId, pipelineId: id, contactId: id }))]
        })
      )
    )
    const change = storage.commit(
      changes(workspaceId, {
        expects: [expects("pipelines", { id }, { version: 1 })],
        sets: [set("pipelines", { id }, { name: "Renamed" })]
      })
    )
    const answered: Array<string> = []
    const commits = [...Array.from({ length: 300 }, () => look), change, ...Array.from({ length: 300 }, () => look)]
    const outcomes = yield* Effect.forEach(
      commits,
      (commit, n) => Effect.tap(commit, () => Effect.sync(() => answered.push(n === 300 ? "change" : "look"))),
      { concurrency: "unbounded" }
    )
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(commits.map(() => "Committed"))
    // A batch has 64 commits, and its callers are answered together.
    expect(answered.indexOf("change")).toBeLessThan(300 + 64)
  })
)
