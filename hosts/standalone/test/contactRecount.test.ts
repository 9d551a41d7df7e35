import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { databases } from "./databases.js"
import { outcomeOf, temporaryFolder } from "./processes.js"
import { rowsOf } from "./rowsOf.js"

const workspaceId = "01900000-0000-7000-8000-000000000001"

describe.each(databases)("parley contact recount on %s", (_, settings) => {
  it.scopedLive(
    "corrects wrong counts",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const given = { PARLEY_DATA_DIR: folder, ...(yield* settings) }
        const recounted = Effect.map(outcomeOf(["contact", "recount"], given), ({ code, output }) => [
          code,
          output.trim()
        ])
        const query = (statement: string) => Effect.promise(() => rowsOf(folder, given, statement))

        expect((yield* outcomeOf(["migrate"], given)).code).toBe(0)
        expect(yield* recounted).toEqual([0, "The lists of contacts were rebuilt: every count was correct"])
        yield* query(`INSERT INTO contact_counts (workspace_id, facet, n) VALUES ('${workspaceId}', '', 3)`)
        expect(yield* recounted).toEqual([0, "The lists of contacts were rebuilt: 1 of their counts was wrong"])
        expect(yield* query("SELECT * FROM contact_counts")).toEqual([])
      }),
    120_000
  )
})
