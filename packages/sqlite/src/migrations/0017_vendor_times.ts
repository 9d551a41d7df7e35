import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements = [
  "ALTER TABLE contacts ADD COLUMN opted_out_at INTEGER",
  "ALTER TABLE contacts ADD COLUMN marketing_opted_out_at INTEGER",
  "ALTER TABLE templates ADD COLUMN status_at INTEGER",
  "ALTER TABLE templates ADD COLUMN account TEXT NOT NULL DEFAULT ''",
  "CREATE UNIQUE INDEX templates_workspace_id_channel_name_language_account ON templates (workspace_id, channel, name, language, account)",
  "DROP INDEX templates_workspace_id_channel_name_language"
]

/** When opt-outs and the statuses of templates were said, and the vendors' accounts of templates. */
export const vendorTimes = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
