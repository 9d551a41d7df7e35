import type { SqlClient } from "@effect/sql/SqlClient"
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
import type { Dialect, LockMode } from "./Dialect.js"
import { lanesToWake } from "./lanesToWake.js"
import type { Statements } from "./Statements.js"
import type { SettledBatch } from "./settleBatch.js"
import { CommitUnanswered, pause, transact, withConnection } from "./Transaction.js"
import { writeBatch } from "./writeBatch.js"

type Answer = Coalescer.Answer<CommitOutcome, CommitError>

/** The options of one attempt to write a batch. */
interface Try {
  readonly mode: LockMode
  readonly lockTimeoutMs: number
  /** The number of earlier attempts that failed because the connection was lost. */
  readonly lost: number
  readonly again: number
  /** Where commits that wait for a locked row are submitted; null: this attempt already runs there. */
  readonly slowly: ((changes: Changes) => Answer) | null
}

const lockTimeoutMs = 50
const slowLockTimeoutMs = 2_000
const maxRetries = 20

/** Writes {@link Changes} in batches in the order of arrival, with round robin among workspaces. */
export const make = (
  sql: SqlClient,
  dialect: Dialect,
  statements: Statements,
  wakeup: Wakeup
): Effect.Effect<(changes: Changes) => Answer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const attempt = (batch: ReadonlyArray<Changes>, how: Try): Effect.Effect<ReadonlyArray<Answer>> =>
      transact(
        sql,
        dialect,
        { lockTimeoutMs: how.lockTimeoutMs },
        writeBatch(dialect, statements, batch, how.mode)
      ).pipe(
        Effect.flatMap((settled) => answers(batch, settled, how)),
        Effect.catchAll((error) =>
          error instanceof CommitUnanswered ? learn(batch, how, error) : recover(batch, how, error)
        ),
        // Data that cannot be serialised as JSON.
        Effect.catchAllDefect((cause) => apart(batch, how, () => Effect.fail(new ChangesRejected({ cause }))))
      )

    const answers = (
      batch: ReadonlyArray<Changes>,
      { outcomes }: SettledBatch,
      how: Try
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
          return how.slowly === null ? stayedLocked : how.slowly(batch[i] as Changes)
        })
      )
    }

    /** The same answer for every commit of the batch. */
    const all = (batch: ReadonlyArray<Changes>, answer: Answer) => Effect.succeed(batch.map(() => answer))

    /** Splits the batch in halves until the rejected commit is alone in its batch. */
    const apart = (
      batch: ReadonlyArray<Changes>,
      how: Try,
      alone: (changes: Changes) => Answer
    ): Effect.Effect<ReadonlyArray<Answer>> => {
      if (batch.length === 1) return Effect.succeed(batch.map(alone))
      const middle = batch.length >> 1
      return Effect.zipWith(attempt(batch.slice(0, middle), how), attempt(batch.slice(middle), how), (one, other) => [
        ...one,
        ...other
      ])
    }

    const recover = (
      batch: ReadonlyArray<Changes>,
      how: Try,
      error: SqlError
    ): Effect.Effect<ReadonlyArray<Answer>> => {
      switch (dialect.faultOf(error)) {
        case "rejected":
          return apart(batch, how, () => Effect.fail(new ChangesRejected({ cause: error })))
        case "locked":
          // The first retry skips locked rows. If it times out too, the lock that it waits for is that of a claim.
          if (how.slowly === null) return all(batch, stayedLocked)
          return how.mode === "wait" ? attempt(batch, { ...how, mode: "skip" }) : apart(batch, how, how.slowly)
        case "again":
        case "busy":
          return how.again === maxRetries
            ? all(batch, Effect.fail(new StorageBusy({ reason: "Others were in the way of every try" })))
            : Effect.zipRight(pause(how.again * 5), attempt(batch, { ...how, again: how.again + 1 }))
        case "lost":
          return how.lost > 0
            ? all(batch, Effect.fail(new StorageUnavailable({ cause: error })))
            : attempt(batch, { ...how, lost: 1 })
        case "unavailable":
          return all(batch, Effect.fail(new StorageUnavailable({ cause: error })))
      }
    }

    /** Looks up, on a new connection, the status of a transaction whose COMMIT got no reply. */
    const learn = (
      batch: ReadonlyArray<Changes>,
      how: Try,
      unanswered: CommitUnanswered<SettledBatch>
    ): Effect.Effect<ReadonlyArray<Answer>> =>
      Effect.gen(function* () {
        const { transaction, cause, value } = unanswered
        for (let tries = 0; transaction !== null && tries < 40; tries++) {
          const transactionStatus = yield* Effect.either(
            withConnection(sql, (connection) => dialect.transactionStatus(connection, transaction))
          )
          if (transactionStatus._tag === "Right") {
            if (transactionStatus.right === "committed") return yield* answers(batch, value, how)
            if (transactionStatus.right === "aborted") return yield* recover(batch, how, cause)
            if (transactionStatus.right === "unknown") break
          }
          yield* pause(25)
        }
        return value.outcomes.map((outcome): Answer => {
          if (outcome._tag === "Conflict" || outcome._tag === "Fenced") return Effect.succeed(outcome)
          return Effect.fail(new CommitUncertain({ cause }))
        })
      })

    const options = {
      maxWeight: 8_000_000,
      weigh,
      capacity: 10_000,
      partition: (changes: Changes) => changes.workspaceId
    }
    const slow = yield* Coalescer.make<Changes, CommitOutcome, CommitError>({
      ...options,
      concurrency: 2,
      maxBatch: 1,
      capacity: 1_000,
      run: (batch) =>
        attempt(batch, { mode: "wait", lockTimeoutMs: slowLockTimeoutMs, lost: 0, again: 0, slowly: null })
    })
    const fast = yield* Coalescer.make<Changes, CommitOutcome, CommitError>({
      ...options,
      ...dialect.commits,
      run: (batch) =>
        batchMeasured(batch, attempt(batch, { mode: "wait", lockTimeoutMs, lost: 0, again: 0, slowly: slow.submit }))
    })
    return (changes) =>
      Effect.catchAll(fast.submit(changes), (error) => {
        countCommit(error._tag)
        return Effect.fail(error)
      })
  })

const stayedLocked: Answer = Effect.fail(new StorageBusy({ reason: "A row stayed locked" }))

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
