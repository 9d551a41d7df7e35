import type { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import { type ReadError, StorageBusy, StorageUnavailable } from "@parley/core"
import { Effect } from "effect"
import type { Dialect } from "./Dialect.js"
import { pause, withConnection } from "./Transaction.js"

/** Runs a single statement. Retries it after a conflict or a lost connection. */
export const runStatement = <A>(
  sql: SqlClient,
  dialect: Dialect,
  execute: (connection: Connection) => Effect.Effect<A, SqlError>
): Effect.Effect<A, ReadError> => {
  const attempt = (busy: number, lost: number): Effect.Effect<A, ReadError> =>
    Effect.catchAll(withConnection(sql, execute), (cause) => {
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

const maxRetries = 20
