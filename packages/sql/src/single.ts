import type { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import { type ReadError, StorageBusy, StorageUnavailable } from "@parley/core"
import { Effect } from "effect"
import type { Dialect } from "./Dialect.js"
import { pause, withConnection } from "./Transaction.js"

/** Runs a single statement, which may be run again when others are in the way. */
export const single = <A>(
  sql: SqlClient,
  dialect: Dialect,
  execute: (connection: Connection) => Effect.Effect<A, SqlError>
): Effect.Effect<A, ReadError> => {
  const isTransient = (error: SqlError) => ["busy", "again", "locked"].includes(dialect.faultOf(error))
  return withConnection(sql, execute).pipe(
    Effect.tapError((error) => (isTransient(error) ? pause(5) : Effect.void)),
    Effect.retry({ times: 20, while: isTransient }),
    Effect.retry({ times: 1, while: (error) => dialect.faultOf(error) === "lost" }),
    Effect.uninterruptible,
    Effect.mapError((cause) =>
      isTransient(cause) ? new StorageBusy({ reason: "The database is busy" }) : new StorageUnavailable({ cause })
    )
  )
}
