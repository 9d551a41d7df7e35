import { Either } from "effect"
import type { Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import { hour, type Instant, minute } from "../Instant.js"
import { type Bump, changes, expect, row, set } from "../ports/Changes.js"
import type { Job } from "../worker/Job.js"
import type { Attempt, Delivery } from "./Delivery.js"
import { deliveryPayload } from "./deliveryJob.js"
import { type Endpoint, failuresThatDisable } from "./Endpoint.js"

/** Between the attempts of one round (spec, Retries); at most a tenth is added to each. */
export const retryDelays: ReadonlyArray<number> = [minute, 5 * minute, 15 * minute, hour, 6 * hour, 24 * hour]
const jitterShare = 0.1

/** All that recording an attempt may look at, as it is after the attempt. */
export interface AttemptWorld {
  readonly delivery: Delivery
  readonly endpoint: Endpoint | undefined
}

/** What an attempt came to. */
export interface Recorded {
  readonly succeeded: boolean
}

/**
 * Writes down an attempt at a delivery (spec, Webhook delivery and endpoint): done, to be tried again, or failed after the
 * last of the schedule. Its row is written whether or not the lease of the job still holds. `jitter` is from 0 to 1.
 */
export const recordAttempt = (
  { delivery, endpoint }: AttemptWorld,
  job: Job,
  attempt: Attempt,
  jitter: number,
  now: Instant
): Either.Either<Decision<Recorded>, Refusal> => {
  const succeeded = attempt.status !== null && attempt.status >= 200 && attempt.status < 300
  if (delivery.status !== "pending") {
    // Somebody else took the job over and finished it; what happened here is kept, and changes nothing.
    return Either.right({
      changes: changes(delivery.workspaceId, {
        expects: [expect("deliveries", { id: delivery.id })],
        inserts: [row("attempts", attempt)],
        settle: { jobId: job.id, epoch: job.epoch, again: null }
      }),
      result: { succeeded: true }
    })
  }
  const { once } = deliveryPayload(job)
  const delay = once ? undefined : retryDelays[delivery.round]
  const next = succeeded || delay === undefined ? null : Math.ceil(now + delay * (1 + jitter * jitterShare))
  const status = succeeded ? "delivered" : next === null ? "failed" : "pending"
  const again = next === null ? null : { runAt: next, lane: "retries" as const, payload: job.payload }
  return Either.right({
    changes: changes(delivery.workspaceId, {
      expects: [expect("deliveries", { id: delivery.id }, { version: delivery.version })],
      sets: [
        set(
          "deliveries",
          { id: delivery.id },
          {
            status,
            attempts: Math.max(delivery.attempts, attempt.number),
            round: delivery.round + 1,
            completedAt: next === null ? now : null
          }
        )
      ],
      inserts: [row("attempts", attempt)],
      bumps: endpoint === undefined || once ? [] : failureBump(endpoint, succeeded),
      settle: { jobId: job.id, epoch: job.epoch, again }
    }),
    result: { succeeded }
  })
}

/** Consecutive failures count up; a success ends the row, but does not enable what is disabled already. */
const failureBump = ({ id, consecutiveFailures }: Endpoint, succeeded: boolean): ReadonlyArray<Bump> => {
  if (!succeeded) return [{ table: "endpoints", id, add: { consecutiveFailures: 1 } }]
  return consecutiveFailures === 0 || consecutiveFailures >= failuresThatDisable
    ? []
    : [{ table: "endpoints", id, reset: { consecutiveFailures: 0 } }]
}
