import { type Cause, Clock, Effect, Random } from "effect"
import { jobFailures, jobsParked } from "../kernel/metrics/engineMetrics.js"
import type { Job } from "../model/Job.js"
import { Ids } from "../ports/Ids.js"
import { Storage } from "../ports/Storage.js"
import { failJob } from "./failJob.js"

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
