import { Either } from "effect"
import type { Decision } from "../Decider.js"
import type { Event } from "../events/Event.js"
import { hour, type Instant, minute } from "../Instant.js"
import { changes, expect, type Parts, row, type Settle, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Job } from "../worker/Job.js"
import { countAttempt } from "./countAttempt.js"
import type { Attempt, Delivery } from "./Delivery.js"
import type { Endpoint } from "./Endpoint.js"

/** Between the attempts of one round (spec, Retries); at most a tenth is added to each. */
export const retryDelays: ReadonlyArray<number> = [minute, 5 * minute, 15 * minute, hour, 6 * hour, 24 * hour]
const jitterShare = 0.1

/** All that recording an attempt may look at, as it is after the attempt. */
export interface AttemptWorld {
  readonly delivery: Delivery
  readonly endpoint: Endpoint | undefined
}

/** An attempt that was made. */
export interface AttemptMade {
  readonly attempt: Attempt
  readonly event: Pick<Event, "type">
  /** The job that it was made for. */
  readonly job: Job
  /** From 0 to 1: how much of a tenth is added to the delay until the next one. */
  readonly jitter: number
}

/**
 * Writes down an attempt at a delivery (spec, Webhook delivery and endpoint): done, to be tried again, or failed after the
 * last of the schedule; a test is tried once. Its row is written whether or not the lease of the job still holds, and an
 * attempt whose lease was lost while it ran moves the schedule no further than the one that was made in its place.
 */
export const recordAttempt = (
  { delivery, endpoint }: AttemptWorld,
  { attempt, event, jitter, job }: AttemptMade,
  now: Instant,
  ids: Ids
): Either.Either<Decision<void>> => {
  const { id, workspaceId, version } = delivery
  const written = (
    values: Partial<Delivery>,
    again: Settle["again"],
    counted: Parts = {}
  ): Either.Either<Decision<void>> => {
    const parts: Parts = {
      expects: [expect("deliveries", { id }, { version })],
      sets: [set("deliveries", { id }, values)],
      inserts: [row("attempts", attempt)],
      settle: { jobId: job.id, epoch: job.epoch, again }
    }
    return Either.right({ changes: changes(workspaceId, parts, counted), result: undefined })
  }

  const attempts = Math.max(delivery.attempts, attempt.number)
  const succeeded = isSuccess(attempt)
  // Somebody else finished it meanwhile; but what was received did not fail.
  if (delivery.status === "delivered" || (delivery.status === "failed" && !succeeded))
    return written({ attempts }, null)

  const isTest = event.type === "webhook.test"
  const round = delivery.round + (attempt.number > delivery.attempts ? 1 : 0)
  const delay = isTest ? undefined : retryDelays[Math.max(round - 1, 0)]
  const next = succeeded || delay === undefined ? null : Math.ceil(now + delay * (1 + jitter * jitterShare))
  return written(
    {
      status: succeeded ? "delivered" : next === null ? "failed" : "pending",
      attempts,
      round,
      completedAt: next === null ? now : null
    },
    next === null ? null : { runAt: next, lane: "retries", payload: job.payload },
    endpoint === undefined || isTest ? {} : countAttempt(endpoint, succeeded, now, ids)
  )
}

/** Whether the receiver took it: any 2xx. */
export const isSuccess = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300
