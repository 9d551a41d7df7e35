import { Context, Effect, Schema } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { cursors } from "../../kernel/input/Cursor.js"
import { type Listed, listByCursor } from "../../kernel/input/CursorList.js"
import { isUuid } from "../../kernel/input/Fields.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import { dueAtOf, type Job } from "../../model/Job.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { JobListQuery } from "./JobListQuery.js"
import { dropJob, retryJob } from "./releaseJob.js"

/** Administration of the queue (docs/reference/administration.md#jobs). Unknown ids fail with `not_found`. */
export interface AdminJobs {
  /** Newest first; with a lane by due time. */
  readonly list: (query: PartialDecode<JobListQuery>) => Effect.Effect<Listed<Job>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Job, Refusal | ReadError>
  /** Returns a parked job to its lane. Fails with `invalid_transition` for another job. */
  readonly retry: (id: string) => Effect.Effect<Job, Refusal | CommitError>
  /** Gives up a parked job, or a message that waits. Fails with `invalid_transition` for others and housekeeping. */
  readonly drop: (id: string) => Effect.Effect<Job, Refusal | CommitError>
}
export const AdminJobs = Context.GenericTag<AdminJobs>("@parley/core/AdminJobs")

const laneCursors = cursors("jobs_of_lane", Schema.Tuple(Schema.Int, Schema.String.pipe(Schema.filter(isUuid))))

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider
  const load = (id: string) => readById(storage, "jobs", id)
  return AdminJobs.of({
    list: (query) => {
      const { lane, workspaceId } = query.value
      if (lane == null) return listNewestFirst(storage, { from: "jobs", by: { workspaceId, lane } }, query)
      // By the index of claims: sorting a long lane by id would read all of it.
      return listByCursor(
        {
          cursors: laneCursors,
          filters: { lane, workspace_id: workspaceId },
          positionOf: (job: Job) => [dueAtOf(job), job.id] as const,
          load: (after, limit) =>
            storage.listJobs(
              { lane, workspaceId: workspaceId ?? null },
              after === null ? null : { dueAt: after[0], id: after[1] },
              limit
            )
        },
        query
      )
    },
    get: (id) => Effect.flatMap(load(id), orNotFound),
    retry: (id) => decideAndCommit(load(id), retryJob),
    drop: (id) => decideAndCommit(load(id), dropJob)
  })
})
