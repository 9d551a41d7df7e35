import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements = [
  "ALTER TABLE contacts ADD COLUMN opted_out_at bigint",
  "ALTER TABLE contacts ADD COLUMN marketing_opted_out_at bigint"
]

/** When opt-outs were said. */
export const vendorTimes = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
