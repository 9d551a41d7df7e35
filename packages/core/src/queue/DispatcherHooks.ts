import { Context, Effect } from "effect"
import type { Job } from "../model/Job.js"
import { type Changes, row, type Settle } from "../ports/Changes.js"
import { type CommitOutcome, Storage } from "../ports/Storage.js"
import { joinTraces } from "./jobTrace.js"

/** Starts the jobs that commits of this process insert (docs/reference/queue.md#jobs-leased-from-the-start). */
export interface JobStarter {
  /** Returns the new job with a lease, and reserves capacity for it; null if a worker has to claim it. */
  readonly reserve: (job: Job) => Job | null
  /** Runs the reserved jobs of one commit. */
  readonly start: (jobs: ReadonlyArray<Job>) => void
  /** Releases the capacity of a reserved job that was not committed. */
  readonly release: (job: Job) => void
}

/**
 * Called before each commit with a settle. Returns what is called with the commit's outcome; null: nothing is. That
 * returns a warning to log; null: none.
 */
export type ObserveSettle = (settle: Settle) => ((outcome: CommitOutcome) => Effect.Effect<void> | null) | null

/** What the dispatcher does at commits of this process. Set once by the dispatcher, which needs the storage itself. */
export interface DispatcherHooks {
  /** Null without a worker. */
  starter: JobStarter | null
  observeSettle: ObserveSettle
}
export const DispatcherHooks = Context.GenericTag<DispatcherHooks>("@parley/core/JobCommits")

const noJobs: ReadonlyArray<Job> = []

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

/** Hooks that do nothing until the dispatcher is made. */
export const make = Effect.sync((): DispatcherHooks => ({ starter: null, observeSettle: () => null }))

/** The storage with commits that start their new jobs and report the settles of running ones. */
export const hookedCommits = Effect.zipWith(Storage, DispatcherHooks, (storage, hooks): Storage => {
  /** Starts or releases the reserved jobs, and reports the settle. */
  const concluded =
    (report: ReturnType<ObserveSettle>, jobs: ReadonlyArray<Job>, starter: JobStarter | null) =>
    (outcome: CommitOutcome): Effect.Effect<CommitOutcome> => {
      if (outcome._tag === "Committed") starter?.start(jobs)
      else for (const job of jobs) starter?.release(job)
      const warning = report?.(outcome) ?? null
      return warning === null ? Effect.succeed(outcome) : Effect.as(warning, outcome)
    }

  // Uninterruptible: after an interruption between the commit and the start, the jobs would wait until their leases
  // end. An uninterruptible wait for the storage is also the cheaper one.
  const commit: Storage["commit"] = (given) =>
    Effect.uninterruptible(
      Effect.withFiberRuntime((fiber) => {
        const traced = joinTraces(given, fiber.currentSpan)
        const { starter } = hooks
        const { changes, jobs } =
          starter === null || given.inserts.length === 0
            ? { changes: traced, jobs: noJobs }
            : withLeases(traced, starter)
        const report = changes.settle === null ? null : hooks.observeSettle(changes.settle)
        if (report === null && jobs.length === 0) return storage.commit(changes)
        return Effect.matchCauseEffect(storage.commit(changes), {
          onFailure: (cause) => {
            for (const job of jobs) starter?.release(job)
            return Effect.failCause(cause)
          },
          onSuccess: concluded(report, jobs, starter)
        })
      })
    )
  return { ...storage, commit }
})
