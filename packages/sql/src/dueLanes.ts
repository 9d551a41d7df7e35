import type { Changes, Lane } from "@parley/core"
import type { Settled } from "./settleBatch.js"

/** The lanes in which the winners of a batch left work that nobody has leased. */
export const dueLanes = (batch: ReadonlyArray<Changes>, outcomes: ReadonlyArray<Settled>): ReadonlySet<Lane> => {
  const lanes = new Set<Lane>()
  batch.forEach((changes, i) => {
    if (outcomes[i]?._tag !== "Committed") return
    for (const rows of [changes.inserts, changes.ensures]) {
      for (const insert of rows) {
        if (insert.table === "jobs" && insert.row.leaseOwner === null && insert.row.runAt <= insert.row.createdAt) {
          lanes.add(insert.row.lane)
        }
      }
    }
  })
  return lanes
}
