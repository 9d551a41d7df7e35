import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Why a bot's session ended. */
export const botReasons = Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe("ALTER TABLE bot_sessions ADD COLUMN reason text")
)
