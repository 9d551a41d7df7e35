import { type CommitError, type CommitOutcome, durations, type Recorder, recorder } from "@parley/core"
import { Effect, MetricBoundaries } from "effect"

const commits: Recorder<["outcome"]> = recorder({
  name: "parley_commits_total",
  description: "Commits by outcome; after a conflict, the caller decides again",
  labels: ["outcome"]
})

const batchSize: Recorder<[]> = recorder({
  name: "parley_commit_batch_size",
  description: "How many commits went into one transaction",
  labels: [],
  boundaries: MetricBoundaries.fromIterable([1, 2, 5, 10, 20, 50, 100, 200])
})

const batchSeconds: Recorder<[]> = recorder({
  name: "parley_commit_batch_duration_seconds",
  description: "From the start of a transaction until its end, with what had to be tried again",
  labels: [],
  boundaries: durations
})

const message = {
  Committed: "committed",
  Conflict: "conflict",
  Fenced: "fenced",
  StorageBusy: "busy",
  StorageUnavailable: "unavailable",
  ChangesRejected: "rejected",
  CommitUncertain: "uncertain"
} satisfies { readonly [T in (CommitOutcome | CommitError)["_tag"]]: string }

/** Counts a commit by its outcome. */
export const countCommit = (tag: keyof typeof message): void => commits(1, message[tag])

/** Measures the size and the duration of a batch. */
export const batchMeasured = <A>(batch: ReadonlyArray<unknown>, write: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.clockWith((clock) => {
    const start = clock.unsafeCurrentTimeMillis()
    return Effect.map(write, (answers) => {
      batchSize(batch.length)
      batchSeconds((clock.unsafeCurrentTimeMillis() - start) / 1_000)
      return answers
    })
  })
