import type { Decision } from "../../kernel/Decider.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { changes, settleJob } from "../../ports/Changes.js"
import { completeIdempotency } from "../../resources/access/idempotency.js"
import type { Verdict } from "../../resources/messages/Verdict.js"

/**
 * Puts a send back into the queue before the provider was called. A request that waits for the verdict answers 202
 * (docs/reference/messages.md#verdict-wait).
 */
export const postponeSend = (
  job: Job,
  awaitingRecord: IdempotencyRecord | undefined,
  until: Instant,
  payload: Job["payload"]
): Decision<Verdict> => ({
  changes: changes(
    job.workspaceId,
    { settle: settleJob(job, { runAt: until, lane: "sends", payload }) },
    completeIdempotency(awaitingRecord)
  ),
  result: { _tag: "Postponed" }
})
