import type { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { Data, Effect } from "effect"
import type { Dialect } from "./Dialect.js"
import { inTurn, together } from "./together.js"

/** The COMMIT was sent and not answered; `value` is what the transaction came to if it was carried out. */
export class CommitUnanswered<A> extends Data.TaggedError("CommitUnanswered")<{
  readonly transaction: string | null
  readonly value: A
  readonly cause: SqlError
}> {}

/** Waits by the host's own clock, since it is the database that is waited for: simulated time must not hold it up. */
export const pause = (milliseconds: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setTimeout(() => resume(Effect.void), milliseconds)
    return Effect.sync(() => clearTimeout(timer))
  })

/** Runs with a connection of its own, which goes back to the pool afterwards. */
export const withConnection = <A, E>(
  sql: SqlClient,
  use: (connection: Connection) => Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError> => Effect.scoped(Effect.flatMap(sql.reserve, use))

/** Runs a statement that is not prepared beforehand. */
export const unprepared = (connection: Connection, statement: string): Effect.Effect<ReadonlyArray<any>, SqlError> =>
  // the driver throws rather than fails where it cannot even prepare it
  Effect.catchAllDefect(
    Effect.suspend(() => connection.executeUnprepared(statement, [], undefined)),
    (cause) => Effect.fail(new SqlError({ cause, message: `${statement} failed` }))
  )

/** What is done inside a transaction, in the two flights of statements that it takes. */
export interface Flights<A, E> {
  /** The first statements; they follow BEGIN. */
  readonly first: ReadonlyArray<Effect.Effect<unknown, SqlError>>
  /** Given what those came to, the value of the transaction and its last statements; COMMIT follows them. */
  readonly last: Effect.Effect<
    { readonly value: A; readonly writes: ReadonlyArray<Effect.Effect<unknown, SqlError>> },
    E
  >
}

/**
 * The one place where transactions are made. Where the driver pipelines, the statements of a flight are sent together, BEGIN
 * with the first and COMMIT with the last: two round trips in all. The statements must not fork: what they fork would run
 * outside. Whatever fails, the connection is left without an open transaction.
 */
export const transact = <A, E>(
  sql: SqlClient,
  dialect: Dialect,
  options: { readonly lockTimeoutMs: number },
  flights: (connection: Connection) => Flights<A, E>
): Effect.Effect<A, E | SqlError | CommitUnanswered<A>> =>
  withConnection(sql, (connection) => {
    const inFlight = dialect.pipelines ? together : inTurn
    const rollback = Effect.ignore(unprepared(connection, "ROLLBACK"))
    const { first, last } = flights(connection)

    /** A COMMIT that follows a statement that failed rolls back; one that was not answered may have been carried out. */
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
