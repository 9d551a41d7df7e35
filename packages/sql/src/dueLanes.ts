import { type Changes, type Instant, type Lane, second } from "@parley/core"
import type { Settled } from "./settleBatch.js"

/** Whoever sleeps longer than this looks again by itself. */
const soon = 2 * second

/**
 * The lanes in which the winners of a batch left work that nobody has leased and that is due now or soon: a sleeper does
 * not know of it.
 */
export const dueLanes = (
  batch: ReadonlyArray<Changes>,
  outcomes: ReadonlyArray<Settled>,
  now: Instant
): ReadonlySet<Lane> => {
  const lanes = new Set<Lane>()
  batch.forEach(({ ensures, inserts, settle }, i) => {
    if (outcomes[i]?._tag !== "Committed") return
    for (const rows of [inserts, ensures]) {
      for (const { table, row } of rows) {
        if (table === "jobs" && row.leaseUntil <= now && row.runAt <= now + soon) lanes.add(row.lane)
      }
    }
    const again = settle?.again ?? null
    if (again !== null && again.runAt <= now + soon) lanes.add(again.lane)
  })
  return lanes
}
