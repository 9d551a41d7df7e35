import { Cause, Clock, Effect, Random } from "effect"
import { jobFailures, jobsParked } from "../kernel/metrics/engineMetrics.js"
import { notify } from "../kernel/notify.js"
import { oneLine } from "../kernel/text/oneLine.js"
import { storableText } from "../kernel/text/storableText.js"
import { day, type Instant, minute, second } from "../model/Instant.js"
import { type Job, type JobFailure, maxFailureText, neverDue, waitsForKey } from "../model/Job.js"
import { type Changes, changes, settleJob } from "../ports/Changes.js"
import { Ids } from "../ports/Ids.js"
import { Storage, StorageBusy } from "../ports/Storage.js"
import { backoff } from "./backoff.js"

/** Number of failures in a row after which a job is parked: about 2.5 hours (docs/reference/queue.md#parked-jobs). */
export const maxFailures = 20

/**
 * Time in ms after its first failure when the message of a parked job fails
 * (docs/reference/messages.md#throttled-and-failing-sends).
 */
const parkedMessageMs = day

const pause = backoff(second, 15 * minute)

/** A failed claim of a job. */
export interface FailedClaim {
  readonly job: Job
  readonly cause: Cause.Cause<unknown>
  /** Random number from 0 to 1, by which up to half of the pause is taken off. */
  readonly jitter: number
}

/**
 * Changes after a handler failed: the job waits for its next try, or is parked with a notification
 * (docs/reference/queue.md#failed-handlers). Unavailable storage and files never park a job: they are away for all.
 * Conflicts do, because they are about the rows of this job.
 */
export const failJob = ({ cause, job, jitter }: FailedClaim, now: Instant, ids: Ids): Changes => {
  const before = waitsForKey(job) ? null : job.failure
  const failure: JobFailure = {
    lane: before?.lane ?? job.lane,
    count: (before?.count ?? 0) + 1,
    since: before?.since ?? now,
    error: failureText(cause)
  }
  // A parked job that was due is given up: until that succeeds, it is tried again like the others.
  const isParked = job.lane !== "parked" && failure.count >= maxFailures && !isUnavailable(cause)
  const next = isParked
    ? { lane: "parked" as const, runAt: parkedUntil(failure) }
    : { lane: job.lane, runAt: now + Math.ceil(pause(failure.count) * (1 - jitter / 2)) }
  const again = { ...next, payload: job.payload, failure }
  return changes(
    job.workspaceId,
    { settle: settleJob(job, again) },
    isParked ? { inserts: parkedNotification(job, failure, now, ids) } : {}
  )
}

/** A parked job waits for an administrator; that of a message only until its message fails. */
const parkedUntil = ({ lane, since }: JobFailure): Instant =>
  lane === "sends" || lane === "downloads" ? since + parkedMessageMs : neverDue

const parkedNotification = ({ id, workspaceId }: Job, { count, error, lane }: JobFailure, now: Instant, ids: Ids) =>
  notify(
    {
      workspaceId,
      applicationId: null,
      kind: "job.parked",
      subjectId: id,
      message: `A job of the lane ${lane} failed ${count} times and is parked: ${error}. After fixing the cause, retry it: parley job retry ${id}.`
    },
    now,
    ids
  )

const unavailable: ReadonlySet<unknown> = new Set([
  "StorageUnavailable",
  "StorageBusy",
  "CommitUncertain",
  "BlobsUnavailable"
])

const isUnavailable = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  if (error instanceof StorageBusy && error.conflicts !== undefined) return false
  return typeof error === "object" && error !== null && "_tag" in error && unavailable.has(error._tag)
}

/** Message of the error as one line, as the storage accepts it. */
export const failureText = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return storableText(
    oneLine(error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
    maxFailureText
  )
}

/** Commits and logs the failure of a job. Without a commit, the job is claimed again when its lease ends. */
export const recordJobFailure = (job: Job, cause: Cause.Cause<unknown>): Effect.Effect<void, never, Storage | Ids> =>
  Effect.gen(function* () {
    jobFailures(1, job.lane)
    const jitter = yield* Random.next
    const failed = failJob({ job, cause, jitter }, yield* Clock.currentTimeMillis, yield* Ids)
    const again = failed.settle?.again
    const { _tag } = yield* (yield* Storage).commit(failed)
    if (_tag === "Fenced") return yield* Effect.logWarning("a job failed after its lease was lost", cause)
    if (again?.lane !== "parked") return yield* Effect.logWarning("a job failed; it is tried again", cause)
    if (job.lane !== "parked") jobsParked(1, job.lane)
    yield* Effect.logError(`a job failed ${again.failure?.count} times and is parked: parley job show ${job.id}`, cause)
  }).pipe(
    Effect.catchAllCause((reason) =>
      Effect.logWarning(
        "a job failed, which could not be stored; it is claimed again when its lease ends",
        cause,
        reason
      )
    )
  )
