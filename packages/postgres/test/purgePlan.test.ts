import { expect, it } from "@effect/vitest"
import { migrate } from "@parley/postgres"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { Effect, Redacted } from "effect"
import { historyNames, purgeStatement } from "../../sql/src/history.js"
import { dialect } from "../src/dialect.js"
import { plannerSession } from "./plannerSession.js"

it.live(
  "purges by index, also with a plan made while tables were empty",
  () =>
    Effect.gen(function* () {
      const url = yield* freshPostgres
      yield* migrate({ url: Redacted.make(url) })
      yield* adminQuery(url, "ANALYZE")
      const session = plannerSession(url)
      const statements = historyNames.flatMap((table) =>
        [null, 1].map((from) => ({ table, ...purgeStatement(dialect, table, 0, 1, from) }))
      )
      for (const { table, text } of statements) {
        const rows = yield* adminQuery(session, `EXPLAIN (GENERIC_PLAN) ${text}`)
        const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
        // Every scan of a table has a condition: an age, a key or a ctid.
        const scans = plan.match(/(?:Seq|Index|Index Only|Tid|Bitmap Heap) Scan .*/g) ?? []
        const conditions = plan.match(/(?:Index|TID|Recheck) Cond: .*/g) ?? []
        expect([table, scans.length > 0, conditions.length]).toEqual([table, true, scans.length])
      }
    }).pipe(Effect.scoped),
  120_000
)
