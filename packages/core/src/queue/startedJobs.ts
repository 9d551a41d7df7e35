import { Context, Effect, Exit, Layer } from "effect"
import type { Job } from "../model/Job.js"
import { type Changes, row } from "../ports/Changes.js"
import { Storage } from "../ports/Storage.js"

/** Starts the jobs that commits of this process insert (docs/reference/queue.md#jobs-leased-from-the-start). */
export interface JobStarter {
  /** Returns the new job with a lease, and reserves its place; null if a worker has to claim it. */
  readonly reserve: (job: Job) => Job | null
  /** Runs a reserved job. */
  readonly start: (job: Job) => Effect.Effect<void>
  /** Frees the place of a reserved job that was not committed. */
  readonly release: (job: Job) => void
}

/** The starter of this process; null without a worker. The dispatcher, which needs the storage, sets it. */
export class StartedJobs extends Context.Tag("@parley/core/StartedJobs")<
  StartedJobs,
  { starter: JobStarter | null }
>() {}

/** The changes with leases for those new jobs that may start at once. */
const withLeases = (changes: Changes, { reserve }: JobStarter): { changes: Changes; jobs: ReadonlyArray<Job> } => {
  const jobs: Array<Job> = []
  const inserts = changes.inserts.map((one) => {
    const reserved = one.table === "jobs" ? reserve(one.row) : null
    if (reserved === null) return one
    jobs.push(reserved)
    return row("jobs", reserved)
  })
  return { changes: jobs.length === 0 ? changes : { ...changes, inserts }, jobs }
}

/** The storage, with commits that start their new jobs. */
export const layer: Layer.Layer<Storage | StartedJobs, never, Storage> = Layer.effectContext(
  Effect.map(Storage, (storage) => {
    const started: Context.Tag.Service<StartedJobs> = { starter: null }
    const commit: Storage["commit"] = (given) =>
      Effect.suspend(() => {
        const { starter } = started
        if (starter === null) return storage.commit(given)
        const { changes, jobs } = withLeases(given, starter)
        if (jobs.length === 0) return storage.commit(changes)
        // If it was interrupted after the commit, the jobs would wait until their leases end.
        return Effect.uninterruptible(
          Effect.onExit(storage.commit(changes), (exit) => {
            if (Exit.isSuccess(exit) && exit.value._tag === "Committed") {
              return Effect.forEach(jobs, starter.start, { discard: true })
            }
            return Effect.sync(() => jobs.forEach(starter.release))
          })
        )
      })
    return Context.make(Storage, { ...storage, commit }).pipe(Context.add(StartedJobs, started))
  })
)
