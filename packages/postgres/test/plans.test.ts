import { expect, it } from "@effect/vitest"
import { migrate } from "@parley/postgres"
import { adminQuery, freshPostgres } from "@parley/testkit"
import { Effect, Redacted } from "effect"
import * as Statements from "../../sql/src/Statements.js"
import { tables } from "../../sql/src/Tables.js"
import { dialect } from "../src/dialect.js"
import { sessionOptions } from "../src/Pool.js"

/** Scans of a plan with what narrows them, such as `Index Scan using jobs_pkey on jobs t | (id = v.id)`. */
const scansOf = (plan: ReadonlyArray<string>) =>
  plan.flatMap((line, i) => {
    const scan = /((?:Seq|Index|Index Only|Bitmap Heap|Tid) Scan .*?)\s+\(cost/.exec(line)?.[1]
    const condition = /(?:Index|TID|Recheck) Cond: (.*)/.exec(plan[i + 1] ?? "")?.[1]
    return scan === undefined ? [] : [`${scan} | ${condition ?? "everything"}`]
  })

it.live("finds rows one by one, also where the plan was made while tables were empty", () =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    yield* migrate({ url: Redacted.make(url) })
    yield* adminQuery(url, "ANALYZE")
    const session = `${url}?options=${encodeURIComponent(sessionOptions)}`
    const statements = Statements.make(dialect)
    for (const table of tables) {
      const bulks = [
        statements.lock(table, [table.key[0]?.name ?? ""], "wait"),
        statements.lock(table, [table.key[0]?.name ?? ""], "skip"),
        statements.find(table, table.key, []),
        statements.remove(table),
        statements.update(table, [table.columns.at(-1)?.name ?? ""])
      ]
      for (const bulk of bulks) {
        const rows = yield* adminQuery(session, `EXPLAIN (GENERIC_PLAN) ${bulk.textFor(0, 1)}`)
        const scans = scansOf(rows.map((row) => row["QUERY PLAN"]))
        expect(scans.length).toBeGreaterThan(0)
        expect(scans.filter((scan) => !/ \| .*(v\.|place|InitPlan)/.test(scan))).toEqual([])
      }
    }
  }).pipe(Effect.scoped)
)
