import type { SqlError } from "@effect/sql/SqlError"
import {
  type Changes,
  ChangesRejected,
  type CommitError,
  type CommitOutcome,
  CommitUncertain,
  StorageBusy,
  StorageUnavailable,
  type Wakeup
} from "@parley/core"
import { Effect, type Scope } from "effect"
import * as Coalescer from "./Coalescer.js"
import { batchMeasured, countCommit } from "./commitMetrics.js"
import type { Database, Rows } from "./Database.js"
import type { Dialect, LockMode } from "./Dialect.js"
import { lanesToWake } from "./lanesToWake.js"
import type { Statements } from "./Statements.js"
import type { SettledBatch } from "./settleBatch.js"
import { CommitUnanswered, pause, transact } from "./Transaction.js"
import { writeBatch } from "./writeBatch.js"

type Answer = Coalescer.Answer<CommitOutcome, CommitError>

/** The options of one attempt to write a batch. */
interface AttemptOptions {
  readonly mode: LockMode
  readonly lockTimeoutMs: number
  /** The number of earlier attempts that failed because the connection was lost. */
  readonly lostConnections: number
  /** The number of earlier attempts that failed because of other transactions. */
  readonly retries: number
  /** Where commits that wait for a locked row are submitted; null: this attempt already runs there. */
  readonly submitToSlowLane: ((changes: Changes) => Answer) | null
}

const lockTimeoutMs = 50
const slowLockTimeoutMs = 2_000
const maxRetries = 20

/** Writes {@link Changes} in batches in the order of arrival, with round robin among workspaces. */
export const make = (
  database: Database,
  dialect: Dialect,
  statements: Statements,
  wakeup: Wakeup
): Effect.Effect<(changes: Changes) => Answer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const attempt = (batch: ReadonlyArray<Changes>, options: AttemptOptions): Effect.Effect<ReadonlyArray<Answer>> =>
      Effect.suspend(() =>
        transact(
          database,
          dialect,
          { lockTimeoutMs: options.lockTimeoutMs },
          writeBatch(dialect, statements, batch, options.mode)
        )
      ).pipe(
        Effect.flatMap((settled) => outcomesOf(batch, settled, options)),
        Effect.catchAll((error) =>
          error instanceof CommitUnanswered
            ? resolveUnansweredCommit(batch, options, error)
            : recover(batch, options, error)
        ),
        // Data that cannot be serialised as JSON.
        Effect.catchAllDefect((cause) => splitBatch(batch, options, () => Effect.fail(new ChangesRejected({ cause }))))
      )

    const outcomesOf = (
      batch: ReadonlyArray<Changes>,
      { outcomes }: SettledBatch,
      options: AttemptOptions
    ): Effect.Effect<ReadonlyArray<Answer>> => {
      for (const { _tag } of outcomes) if (_tag !== "Deferred") countCommit(_tag)
      return Effect.as(
        Effect.clockWith((clock) => {
          const lanes = lanesToWake(batch, outcomes, clock.unsafeCurrentTimeMillis())
          // The batch is committed: a failed wakeup hint does not change the outcomes.
          return lanes.size > 0 ? Effect.catchAllCause(wakeup.notify(lanes), () => Effect.void) : Effect.void
        }),
        outcomes.map((outcome, i): Answer => {
          if (outcome._tag !== "Deferred") return Effect.succeed(outcome)
          return options.submitToSlowLane === null
            ? Effect.fail(stayedLocked)
            : options.submitToSlowLane(batch[i] as Changes)
        })
      )
    }

    /** Fails every commit of the batch. */
    const failAll = (batch: ReadonlyArray<Changes>, error: CommitError) =>
      Effect.succeed(batch.map((): Answer => Effect.fail(error)))

    /** Splits the batch in halves until the rejected commit is alone in its batch. */
    const splitBatch = (
      batch: ReadonlyArray<Changes>,
      options: AttemptOptions,
      alone: (changes: Changes) => Answer
    ): Effect.Effect<ReadonlyArray<Answer>> => {
      if (batch.length === 1) return Effect.succeed(batch.map(alone))
      const middle = batch.length >> 1
      return Effect.zipWith(
        attempt(batch.slice(0, middle), options),
        attempt(batch.slice(middle), options),
        (one, other) => [...one, ...other]
      )
    }

    const recover = (
      batch: ReadonlyArray<Changes>,
      options: AttemptOptions,
      error: SqlError
    ): Effect.Effect<ReadonlyArray<Answer>> => {
      const fault = dialect.faultOf(error)
      switch (fault) {
        case "rejected":
          return splitBatch(batch, options, () => Effect.fail(new ChangesRejected({ cause: error })))
        case "locked":
          // The first retry skips locked rows. If it times out too, the lock that it waits for is that of a claim.
          if (options.submitToSlowLane === null) return failAll(batch, stayedLocked)
          return options.mode === "wait"
            ? attempt(batch, { ...options, mode: "skip" })
            : splitBatch(batch, options, options.submitToSlowLane)
        case "again":
        case "busy":
          return options.retries === maxRetries
            ? failAll(
                batch,
                new StorageBusy({
                  reason: `${fault === "busy" ? "database locked" : "deadlock or serialization failure"} in all ${maxRetries + 1} attempts`
                })
              )
            : Effect.zipRight(pause(options.retries * 5), attempt(batch, { ...options, retries: options.retries + 1 }))
        case "lost":
          return options.lostConnections > 0
            ? failAll(batch, new StorageUnavailable({ cause: error }))
            : attempt(batch, { ...options, lostConnections: 1 })
        case "unavailable":
          return failAll(batch, new StorageUnavailable({ cause: error }))
      }
    }

    /** Looks up, on a new connection, the status of a transaction whose COMMIT got no reply. */
    const resolveUnansweredCommit = (
      batch: ReadonlyArray<Changes>,
      options: AttemptOptions,
      unanswered: CommitUnanswered<SettledBatch>
    ): Effect.Effect<ReadonlyArray<Answer>> =>
      Effect.gen(function* () {
        const { transaction, cause, value } = unanswered
        const { transactionStatus } = dialect
        for (let tries = 0; transaction !== null && transactionStatus !== null && tries < 40; tries++) {
          const answer = yield* Effect.either(
            database.withSession((session) => session.run([transactionStatus.query(transaction)]))
          )
          if (answer._tag === "Right") {
            const status = transactionStatus.statusOf(answer.right[0] as Rows)
            if (status === "committed") return yield* outcomesOf(batch, value, options)
            if (status === "aborted") return yield* recover(batch, options, cause)
            if (status === "unknown") break
          }
          yield* pause(25)
        }
        return value.outcomes.map((outcome): Answer => {
          if (outcome._tag === "Conflict" || outcome._tag === "Fenced") return Effect.succeed(outcome)
          return Effect.fail(new CommitUncertain({ cause }))
        })
      })

    const limits = {
      maxWeight: 8_000_000,
      weigh,
      capacity: 10_000,
      partition: (changes: Changes) => changes.workspaceId
    }
    const slow = yield* Coalescer.make<Changes, CommitOutcome, CommitError>({
      ...limits,
      concurrency: 2,
      maxBatch: 1,
      capacity: 1_000,
      run: (batch) =>
        attempt(batch, {
          mode: "wait",
          lockTimeoutMs: slowLockTimeoutMs,
          lostConnections: 0,
          retries: 0,
          submitToSlowLane: null
        })
    })
    const fast = yield* Coalescer.make<Changes, CommitOutcome, CommitError>({
      ...limits,
      ...dialect.commits,
      run: (batch) =>
        batchMeasured(
          batch,
          attempt(batch, { mode: "wait", lockTimeoutMs, lostConnections: 0, retries: 0, submitToSlowLane: slow.submit })
        )
    })
    return (changes) =>
      Effect.catchAll(fast.submit(changes), (error) => {
        countCommit(error._tag)
        return Effect.fail(error)
      })
  })

const stayedLocked = new StorageBusy({ reason: "a row stayed locked" })

/** The approximate size of the rows of a commit, in UTF-16 units. */
const weigh = (changes: Changes): number => {
  let weight = 0
  for (const rows of [changes.claims, changes.inserts, changes.ensures]) {
    for (const { row } of rows) {
      weight += 400
      if ("body" in row) weight += lengthOf(row.body)
      if ("data" in row) weight += lengthOf(row.data)
    }
  }
  return weight
}

const lengthOf = (value: unknown): number =>
  typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0)
