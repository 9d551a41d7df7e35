import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** The failures of a job's handler, and with them parked jobs. */
export const jobFailures = Effect.flatMap(SqlClient, (sql) => sql.unsafe("ALTER TABLE jobs ADD COLUMN failure json"))
