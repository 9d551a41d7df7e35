import type { SqlClient } from "@effect/sql/SqlClient"
import { lanes, mostCounted, type QueueDepth, type Storage } from "@parley/core"
import { Effect } from "effect"
import type { Dialect } from "./Dialect.js"
import { single } from "./single.js"
import type { Column } from "./Tables.js"

const asked: ReadonlyArray<Column> = [
  { name: "lane", sql: "lane", kind: "text" },
  { name: "now", sql: "now", kind: "integer" },
  { name: "leasesEnd", sql: "leases_end", kind: "integer" }
]

type Counted = Omit<QueueDepth, "waiting"> & { readonly later: number }

/** Counts jobs lane by lane, along the index of the claims: what is due, and what becomes so while leases last or later. */
export const queueDepths = (sql: SqlClient, dialect: Dialect): Storage["queueDepths"] => {
  const ofLane = (more: string) => `FROM jobs AS t WHERE t.lane = v."lane" AND ${more}`
  const count = (which: string) => `(SELECT count(*) FROM (SELECT 1 ${ofLane(which)} LIMIT ${mostCounted}) AS n)`
  const leased = `t.due_at > v."now" AND t.due_at <= v."leasesEnd" AND t.lease_until > v."now"`
  const text = `SELECT v."lane" AS "lane",
  ${count(`t.due_at <= v."now"`)} AS "due",
  (SELECT min(t.due_at) ${ofLane(`t.due_at <= v."now"`)}) AS "oldestDueAt",
  ${count(`t.due_at > v."now"`)} AS "later",
  ${count(leased)} AS "leased"
FROM ${dialect.rows(1, asked, 0)}`

  return (now, leaseMs) => {
    const rows = JSON.stringify(lanes.map((lane) => ({ lane, now, leasesEnd: now + leaseMs })))
    return Effect.map(
      single(sql, dialect, (connection) => connection.execute(text, [rows], undefined)),
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
