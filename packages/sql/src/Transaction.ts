import type { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { EventLoop } from "@parley/core"
import { Data, Effect } from "effect"
import type { Dialect } from "./Dialect.js"
import { runInSequence, runTogether } from "./runTogether.js"

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

/** Runs with a connection of the pool, and returns the connection to the pool afterwards. */
export const withConnection = <A, E>(
  sql: SqlClient,
  use: (connection: Connection) => Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError> => Effect.scoped(Effect.flatMap(sql.reserve, use))

/** Runs a statement without preparing it. */
export const unprepared = (connection: Connection, statement: string): Effect.Effect<ReadonlyArray<any>, SqlError> =>
  // The driver throws, instead of failing, if it cannot prepare the statement.
  Effect.catchAllDefect(
    Effect.suspend(() => connection.executeUnprepared(statement, [], undefined)),
    (cause) => Effect.fail(new SqlError({ cause, message: `${statement} failed` }))
  )

/** The statements of a transaction, in its two round trips. */
export interface Flights<A, E> {
  /** The first statements; they follow BEGIN. */
  readonly first: ReadonlyArray<Effect.Effect<unknown, SqlError>>
  /**
   * Uses the results of the first statements. Returns the transaction's value and its last statements; COMMIT follows
   * them.
   */
  readonly last: Effect.Effect<
    { readonly value: A; readonly writes: ReadonlyArray<Effect.Effect<unknown, SqlError>> },
    E
  >
}

/**
 * Runs a transaction; no other code begins one. With a pipelining driver, the statements of a round trip are sent
 * together, BEGIN with the first ones and COMMIT with the last ones: two round trips in all. The statements must not
 * fork fibers, whose statements would run outside of the transaction. After any failure, the connection has no open
 * transaction.
 */
export const transact = <A, E>(
  sql: SqlClient,
  dialect: Dialect,
  options: { readonly lockTimeoutMs: number },
  flights: (connection: Connection) => Flights<A, E>
): Effect.Effect<A, E | SqlError | CommitUnanswered<A>> =>
  withConnection(sql, (connection) => {
    const inFlight = dialect.pipelines ? runTogether : runInSequence
    const rollback = Effect.ignore(unprepared(connection, "ROLLBACK"))
    const { first, last } = flights(connection)

    /** A COMMIT after a failed statement rolls back. A COMMIT without a reply may have been carried out. */
    const finish = (transaction: string | null, value: A, writes: ReadonlyArray<Effect.Effect<unknown, SqlError>>) =>
      Effect.catchAll(
        Effect.asVoid(inFlight([...writes, unprepared(connection, "COMMIT")])),
        (cause): Effect.Effect<never, SqlError | CommitUnanswered<A>> =>
          dialect.faultOf(cause) === "lost"
            ? Effect.fail(new CommitUnanswered({ transaction, value, cause }))
            : Effect.fail(cause)
      )

    return Effect.gen(function* () {
      const [transaction] = yield* inFlight<unknown, SqlError>([dialect.begin(connection, options), ...first])
      const { value, writes } = yield* last
      yield* finish(transaction as string | null, value, writes)
      return value
    }).pipe(Effect.onError(() => rollback))
  }).pipe(Effect.uninterruptible)
