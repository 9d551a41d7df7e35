import type { SqlError } from "@effect/sql/SqlError"
import { type ReadError, StorageBusy, StorageUnavailable } from "@parley/core"
import { Effect } from "effect"
import { type Database, type Rows, runSteps, type Session, type Statement, type Step } from "./Database.js"
import type { Dialect } from "./Dialect.js"
import { pause } from "./Transaction.js"

const maxRetries = 20

/** Uses a connection without a transaction. Does it again after a conflict or a lost connection. */
const withRetries = <A>(
  database: Database,
  dialect: Dialect,
  use: (session: Session) => Effect.Effect<A, SqlError>
): Effect.Effect<A, ReadError> => {
  const attempt = (busy: number, lost: number): Effect.Effect<A, ReadError> =>
    Effect.catchAll(database.withSession(use), (cause) => {
      const fault = dialect.faultOf(cause)
      if (fault === "busy" || fault === "again" || fault === "locked") {
        return busy < maxRetries
          ? Effect.zipRight(pause(5), attempt(busy + 1, lost))
          : Effect.fail(new StorageBusy({ reason: "The database is busy" }))
      }
      return fault === "lost" && lost === 0 ? attempt(busy, 1) : Effect.fail(new StorageUnavailable({ cause }))
    })
  return Effect.uninterruptible(attempt(0, 0))
}

/** Runs a single statement and returns its rows. Retries it after a conflict or a lost connection. */
export const runStatement = (
  database: Database,
  dialect: Dialect,
  statement: Statement
): Effect.Effect<Rows, ReadError> =>
  Effect.map(
    withRetries(database, dialect, (session) => session.run([statement])),
    ([rows = []]) => rows
  )

/** Runs steps whose statements do not depend on each other. Retries all of them, as {@link runStatement} does. */
export const runIndependent = (
  database: Database,
  dialect: Dialect,
  steps: ReadonlyArray<Step>
): Effect.Effect<void, ReadError> => withRetries(database, dialect, (session) => runSteps(session, steps))
