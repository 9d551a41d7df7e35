import { type Changes, type Instant, type Lane, second } from "@parley/core"
import type { Settled } from "./settleBatch.js"

/**
 * Workers that sleep longer than this poll again without a hint. `now` is of this host's clock: if it is off by more,
 * hints are missing, and polls find the jobs.
 */
const wakeWindowMs = 2 * second

/**
 * The lanes in which the committed changes of a batch left unleased jobs that are due now or soon. Sleeping workers
 * need a hint for them.
 */
export const lanesToWake = (
  batch: ReadonlyArray<Changes>,
  outcomes: ReadonlyArray<Settled>,
  now: Instant
): ReadonlySet<Lane> => {
  const lanes = new Set<Lane>()
  batch.forEach(({ ensures, inserts, settle }, i) => {
    if (outcomes[i]?._tag !== "Committed") return
    for (const rows of [inserts, ensures]) {
      for (const { table, row } of rows) {
        if (table === "jobs" && row.leaseUntil <= now && row.runAt <= now + wakeWindowMs) lanes.add(row.lane)
      }
    }
    const again = settle?.again ?? null
    if (again !== null && again.runAt <= now + wakeWindowMs) lanes.add(again.lane)
  })
  return lanes
}
