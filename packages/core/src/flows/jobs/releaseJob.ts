import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Instant } from "../../model/Instant.js"
import { countsAtClaim, type Job } from "../../model/Job.js"
import { changes, expect, set } from "../../ports/Changes.js"
import { isTimeOutJob } from "../bots/botJobs.js"
import { progressOf } from "../sends/SendProgress.js"

/**
 * `POST /jobs/{id}/retry`: a parked job returns to its lane, due now, without its failures and their claims. Fails with
 * `invalid_transition` for a job that is not parked.
 */
export const retryJob = (
  present: Job | undefined,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Job>, Refusal> =>
  Either.map(parked(present, now), ({ failure, job }) => {
    // In other lanes, attempts are calls outside, which happened.
    const attempts = countsAtClaim(failure.lane) ? Math.max(0, job.attempts - failure.count) : job.attempts
    return released(job, { lane: failure.lane, runAt: now, attempts, failure: null }, "job.retried", now, ids)
  })

/**
 * `POST /jobs/{id}/drop`: a parked job, or that of a message which waits to be sent, becomes due in the lane `parked`,
 * whose handler gives it up (docs/reference/queue.md#parked-jobs). Fails with `invalid_transition` for another job, for
 * a message that may have reached the customer, for housekeeping, which finishes erasures and merges of contacts, and
 * for the time-out of a bot, which ends its session.
 */
export const dropJob = (
  present: Job | undefined,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Job>, Refusal> =>
  Either.flatMap(orNotFound(present), (job) => (job.lane === "sends" ? dropSend : dropParked)(job, now, ids))

const dropSend = (job: Job, now: Instant, ids: ActingIds): Either.Either<Decision<Job>, Refusal> => {
  const { held, settled } = progressOf(job)
  if (job.leaseUntil > now) return refused("The message is being sent now.")
  if (held || job.attempts > settled) {
    return refused("The message may have reached the customer: it waits for a receipt, and fails without one.")
  }
  const failure = {
    lane: job.lane,
    count: (job.failure?.count ?? 0) + 1,
    since: now,
    error: "An administrator dropped it."
  }
  return Either.right(released(job, { lane: "parked", runAt: now, failure }, "job.dropped", now, ids))
}

const dropParked = (present: Job, now: Instant, ids: ActingIds): Either.Either<Decision<Job>, Refusal> =>
  Either.flatMap(parked(present, now), ({ failure, job }) => {
    if (failure.lane === "housekeeping") {
      return refused("Housekeeping finishes erasures and merges: retry it instead.")
    }
    if (isTimeOutJob(job)) {
      return refused("The session of a bot ends with this job: retry it, or take over or close its conversation.")
    }
    return Either.right(released(job, { runAt: now }, "job.dropped", now, ids))
  })

const refused = (text: string): Either.Either<never, Refusal> => Either.left(refuse("invalid_transition", {}, text))

const notParked =
  "This job is not parked: it runs or waits. `parley job show` says for what, and `parley message explain` for a message."

const parked = (present: Job | undefined, now: Instant) =>
  Either.flatMap(orNotFound(present), (job) =>
    job.lane !== "parked" || job.failure === null || job.leaseUntil > now
      ? refused(notParked)
      : Either.right({ job, failure: job.failure })
  )

const released = (job: Job, values: Partial<Job>, action: string, now: Instant, ids: ActingIds): Decision<Job> => {
  const { epoch, id, lane, leaseUntil, workspaceId } = job
  return {
    changes: changes(workspaceId, {
      expects: [expect("jobs", { id }, { epoch, leaseUntil, lane })],
      sets: [set("jobs", { id }, values)],
      inserts: [auditRow({ workspaceId, applicationId: null, action, subjectId: id }, now, ids)]
    }),
    result: { ...job, ...values }
  }
}
