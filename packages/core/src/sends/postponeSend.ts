import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import { finish } from "../access/recall.js"
import type { Decision } from "../Decider.js"
import type { Instant } from "../Instant.js"
import { changes } from "../ports/Changes.js"
import type { Job } from "../worker/Job.js"
import type { Verdict } from "./Verdict.js"

/**
 * Has a send wait without having been handed over; no worker is held meanwhile. Who waits for the verdict hears that there is
 * none: 202 (decisions.md §7).
 */
export const postponeSend = (
  job: Job,
  awaiting: IdempotencyRecord | undefined,
  until: Instant,
  payload: Job["payload"]
): Decision<Verdict> => ({
  changes: changes(
    job.workspaceId,
    { settle: { jobId: job.id, epoch: job.epoch, again: { runAt: until, lane: "sends", payload } } },
    awaiting?.state === "awaiting" ? finish(awaiting) : {}
  ),
  result: { _tag: "Postponed" }
})
