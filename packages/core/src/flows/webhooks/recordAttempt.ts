import { Either } from "effect"
import type { Decision } from "../../kernel/Decider.js"
import type { Attempt, Delivery } from "../../model/Delivery.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Event } from "../../model/Event.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { changes, expect, type Parts, row, type Settle, set, settleJob } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { settledPayload } from "../../resources/events/deliveryJob.js"
import { type CalledEndpoint, countAttempt } from "./countAttempt.js"
import { enqueueNext, withoutOrder } from "./deliveryOrder.js"
import { firstCountedRound, retrySchedule, subscriptionSchedule } from "./retrySchedule.js"

const jitterShare = 0.1

/** What the rule reads after the attempt. */
export interface AttemptWorld {
  readonly delivery: Delivery
  readonly endpoint: Endpoint | undefined
  /** The delivery that starts when this one has ended. Undefined: none waits for it. */
  readonly next: Delivery | undefined
}

/** A finished attempt. */
export interface AttemptMade {
  readonly attempt: Attempt
  readonly event: Pick<Event, "type">
  readonly called: CalledEndpoint
  /** The job of the attempt. */
  readonly job: Job
  /** Random number from 0 to 1: the share of 10 % that is added to the next delay. */
  readonly jitter: number
}

/**
 * Records an attempt (docs/reference/webhooks.md#delivery-states): the delivery is delivered, retried, or failed after
 * the last delay of the schedule or for a deleted endpoint. A test is tried once. The attempt row is written even if
 * the lease was lost; such an attempt does not advance the schedule beyond the attempt that replaced it.
 */
export const recordAttempt = (
  { delivery, endpoint, next: following }: AttemptWorld,
  { attempt, called, event, jitter, job }: AttemptMade,
  now: Instant,
  ids: Ids
): Either.Either<Decision<void>> => {
  const { id, workspaceId, version } = delivery
  const written = (
    values: Partial<Delivery>,
    again: Settle["again"],
    ...more: ReadonlyArray<Parts>
  ): Either.Either<Decision<void>> => {
    const parts: Parts = {
      expects: [expect("deliveries", { id }, { version })],
      sets: [set("deliveries", { id }, values)],
      inserts: [row("attempts", attempt)],
      settle: settleJob(job, again)
    }
    return Either.right({ changes: changes(workspaceId, parts, ...more), result: undefined })
  }

  const attempts = Math.max(delivery.attempts, attempt.number)
  const succeeded = isSuccess(attempt)
  // A concurrent attempt ended the delivery. A late success still turns a failed delivery into a delivered one.
  if (delivery.status === "delivered" || (delivery.status === "failed" && !succeeded))
    return written({ attempts }, null)

  const isTest = event.type === "webhook.test"
  const isDeleted = endpoint === undefined || endpoint.status === "deleted"
  const round = delivery.round + (attempt.number > delivery.attempts ? 1 : 0)
  const ofSubscription = job.lane === "subscriptions"
  const schedule = ofSubscription ? subscriptionSchedule : retrySchedule
  const isEarly = ofSubscription && !succeeded && round < firstCountedRound
  const delay = isTest || isDeleted ? undefined : schedule[Math.max(round - 1, 0)]
  const next = succeeded || delay === undefined ? null : Math.ceil(now + delay * (1 + jitter * jitterShare))
  return written(
    {
      status: succeeded ? "delivered" : next === null ? "failed" : "pending",
      attempts,
      round,
      completedAt: next === null ? now : null,
      ...(next === null ? withoutOrder(delivery) : {})
    },
    next === null
      ? null
      : ofSubscription
        ? { runAt: next, lane: job.lane, payload: settledPayload(job) }
        : { runAt: next, lane: "retries", payload: job.payload },
    endpoint === undefined || isTest || isEarly ? {} : countAttempt(endpoint, called, succeeded, now, ids),
    next === null ? enqueueNext(following, endpoint, now) : {}
  )
}

/** Whether the receiver accepted the attempt: any 2xx of a URL, no error of a subscription's function. */
export const isSuccess = ({ error, status }: Attempt): boolean =>
  status === null ? error === null : status >= 200 && status < 300
