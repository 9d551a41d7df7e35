import type { SqlError } from "@effect/sql/SqlError"
import { EventLoop } from "@parley/core"
import { Data, Effect } from "effect"
import { type Database, runSteps, type Session, type Statement, type Step } from "./Database.js"
import type { Dialect } from "./Dialect.js"

/** COMMIT was sent and got no reply. `value` is the transaction's result if it was committed. */
export class CommitUnanswered<A> extends Data.TaggedError("CommitUnanswered")<{
  readonly transaction: string | null
  readonly value: A
  readonly cause: SqlError
}> {}

/** Waits by the `EventLoop` and not by Effect's `Clock`: a simulated clock must not stop a wait for a real database. */
export const pause = (milliseconds: number): Effect.Effect<void> =>
  Effect.flatMap(EventLoop, ({ setTimer }) =>
    Effect.async<void>((resume) => Effect.sync(setTimer(() => resume(Effect.void), milliseconds)))
  )

/** The statements of a transaction, in its two round trips. */
export interface RoundTrips<A, E> {
  /** The first statements; they follow BEGIN. */
  readonly first: ReadonlyArray<Step>
  /**
   * Uses the rows of the first statements. Returns the transaction's value and its last statements; COMMIT follows
   * them.
   */
  readonly last: (
    session: Session
  ) => Effect.Effect<{ readonly value: A; readonly writes: ReadonlyArray<Statement> }, E>
}

const commit: Statement = { text: "COMMIT", parameters: [] }
const rollback: Statement = { text: "ROLLBACK", parameters: [] }

/**
 * Runs a transaction; no other code begins one. With a pipelining driver, the statements of a round trip are sent
 * together, BEGIN with the first ones and COMMIT with the last ones: two round trips in all. After any failure, the
 * connection has no open transaction. Uninterruptible.
 */
export const transact = <A, E>(
  { withSession }: Database,
  dialect: Dialect,
  options: { readonly lockTimeoutMs: number },
  { first, last }: RoundTrips<A, E>
): Effect.Effect<A, E | SqlError | CommitUnanswered<A>> =>
  withSession((session) => {
    let transaction: string | null = null
    const begin: Step = {
      statements: [dialect.begin(options)],
      receive: ([rows = []]) => {
        transaction = dialect.transactionStatus?.nameOf(rows) ?? null
      }
    }
    /** A COMMIT after a failed statement rolls back. A COMMIT without a reply may have been carried out. */
    const finish = (value: A, writes: ReadonlyArray<Statement>): Effect.Effect<A, SqlError | CommitUnanswered<A>> =>
      Effect.mapBoth(session.run([...writes, commit]), {
        onFailure: (cause) =>
          dialect.faultOf(cause) === "lost" ? new CommitUnanswered({ transaction, value, cause }) : cause,
        onSuccess: () => value
      })
    return runSteps(session, [begin, ...first]).pipe(
      Effect.flatMap(() => last(session)),
      Effect.flatMap(({ value, writes }) => finish(value, writes)),
      Effect.catchAllCause((cause) => Effect.zipRight(Effect.ignore(session.run([rollback])), Effect.failCause(cause)))
    )
  })
