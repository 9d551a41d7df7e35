import { lanes, maxCounted, type QueueDepth, type Storage } from "@parley/core"
import { Effect } from "effect"
import type { Database } from "./Database.js"
import type { Dialect } from "./Dialect.js"
import { runStatement } from "./runStatement.js"
import type { Column } from "./Tables.js"

const parameterColumns: ReadonlyArray<Column> = [
  { name: "lane", sql: "lane", kind: "text" },
  { name: "now", sql: "now", kind: "integer" },
  { name: "leasesEnd", sql: "leases_end", kind: "integer" }
]

type Counted = Omit<QueueDepth, "waiting"> & { readonly later: number }

/** Counts the jobs of each lane along the index of claims: due jobs, leased jobs, and jobs that become due later. */
export const queueDepths = (database: Database, dialect: Dialect): Storage["queueDepths"] => {
  const ofLane = (more: string) => `FROM jobs AS t WHERE t.lane = v."lane" AND ${more}`
  const count = (which: string) => `(SELECT count(*) FROM (SELECT 1 ${ofLane(which)} LIMIT ${maxCounted}) AS n)`
  const leased = `t.due_at > v."now" AND t.due_at <= v."leasesEnd" AND t.lease_until > v."now"`
  const text = `SELECT v."lane" AS "lane",
  ${count(`t.due_at <= v."now"`)} AS "due",
  (SELECT min(t.due_at) ${ofLane(`t.due_at <= v."now"`)}) AS "oldestDueAt",
  ${count(`t.due_at > v."now"`)} AS "later",
  ${count(leased)} AS "leased"
FROM ${dialect.rows(1, parameterColumns, 0)}`

  return (now, leaseMs) => {
    const rows = JSON.stringify(lanes.map((lane) => ({ lane, now, leasesEnd: now + leaseMs })))
    return Effect.map(
      runStatement(database, dialect, { text, parameters: [rows] }),
      (counted: ReadonlyArray<Counted>) =>
        lanes.flatMap((lane) => {
          const found = counted.find((depth) => depth.lane === lane)
          if (found === undefined) return []
          const { due, later, leased, oldestDueAt } = found
          return { lane, due, leased, waiting: later - leased, oldestDueAt }
        })
    )
  }
}
