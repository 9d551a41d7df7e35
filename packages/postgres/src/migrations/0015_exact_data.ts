import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** The data of a run with all digits, where it has numbers that doubles do not hold. */
export const exactData = Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe("ALTER TABLE workflow_runs ADD COLUMN exact_data text")
)
