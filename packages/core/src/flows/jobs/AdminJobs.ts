import { Context, Effect, Layer } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Job } from "../../model/Job.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { JobListQuery } from "./JobListQuery.js"
import { dropJob, retryJob } from "./releaseJob.js"

/** Administration of the queue (docs/reference/administration.md#jobs). Unknown ids fail with `not_found`. */
export interface AdminJobs {
  /** Newest first. */
  readonly list: (query: PartialDecode<JobListQuery>) => Effect.Effect<Listed<Job>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Job, Refusal | ReadError>
  /** Returns a parked job to its lane. Fails with `invalid_transition` for another job. */
  readonly retry: (id: string) => Effect.Effect<Job, Refusal | CommitError>
  /** Gives a parked job up. Fails with `invalid_transition` for another job and for housekeeping. */
  readonly drop: (id: string) => Effect.Effect<Job, Refusal | CommitError>
}
export const AdminJobs = Context.GenericTag<AdminJobs>("@parley/core/AdminJobs")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider
  const load = (id: string) => readById(storage, "jobs", id)
  return AdminJobs.of({
    list: (query) => {
      const { lane, workspaceId } = query.value
      return listNewestFirst(storage, { from: "jobs", by: { workspaceId, lane } }, query)
    },
    get: (id) => Effect.flatMap(load(id), orNotFound),
    retry: (id) => decideAndCommit(load(id), retryJob),
    drop: (id) => decideAndCommit(load(id), dropJob)
  })
})

export const layer: Layer.Layer<AdminJobs, never, Storage | Decider> = Layer.effect(AdminJobs, make)
