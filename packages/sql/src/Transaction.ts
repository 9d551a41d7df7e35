import type { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { Data, Effect, Exit } from "effect"
import type { Dialect } from "./Dialect.js"

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

/**
 * The one place where transactions are made. The body must not fork: what it forks would run outside. Whatever fails, the
 * connection is left without an open transaction.
 */
export const transact = <A, E>(
  sql: SqlClient,
  dialect: Dialect,
  options: { readonly lockTimeoutMs: number },
  body: (connection: Connection) => Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError | CommitUnanswered<A>> =>
  withConnection(sql, (connection) => {
    const rollback = Effect.ignore(unprepared(connection, "ROLLBACK"))
    return Effect.gen(function* () {
      // also where it fails half-way
      const transaction = yield* Effect.tapError(dialect.begin(connection, options), () => rollback)
      const exit = yield* Effect.exit(body(connection))
      if (Exit.isFailure(exit)) {
        yield* rollback
        return yield* exit
      }
      const committed = yield* Effect.either(unprepared(connection, "COMMIT"))
      if (committed._tag === "Right") return exit.value
      yield* rollback
      if (dialect.faultOf(committed.left) !== "lost") return yield* committed.left
      return yield* new CommitUnanswered({ transaction, value: exit.value, cause: committed.left })
    })
  }).pipe(Effect.uninterruptible)
