import { Context, Effect } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import type { Job, Lane } from "../model/Job.js"
import type { BlobsUnavailable } from "../ports/Blobs.js"
import type { CommitError } from "../ports/Storage.js"

/** The work of one job. After a failure, the job waits for its next try (docs/reference/queue.md#failed-handlers). */
export type Run = Effect.Effect<void, Refusal | CommitError | BlobsUnavailable>

/**
 * The handler of each lane. It is called with jobs of one claim or commit, and returns the work of each, in order, so
 * that one read can load what all of them need. The dispatcher runs each job by itself. If a handler fails, all of its
 * jobs do. If it dies, it is called with each of them alone, so that one unreadable job does not hold up others.
 */
export type Handlers = {
  readonly [L in Lane]: (
    jobs: ReadonlyArray<Job>
  ) => Effect.Effect<ReadonlyArray<Run>, Refusal | CommitError | BlobsUnavailable>
}

export const Handlers = Context.GenericTag<Handlers>("@parley/core/Handlers")

/** A handler that loads nothing for several jobs at once. */
export const each =
  (run: (job: Job) => Run): Handlers[Lane] =>
  (jobs) =>
    Effect.succeed(jobs.map((job) => Effect.suspend(() => run(job))))

/** The fields of the job in the log. */
export const annotations = ({ id, lane, payload, reference }: Job) => ({
  job_id: id,
  lane,
  reference,
  ...(lane === "sends" ? { message_id: reference } : {}),
  ...(payload?.task === "advance_run" ? { workflow_run_id: reference } : {})
})
