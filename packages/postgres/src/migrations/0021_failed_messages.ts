import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Indexes of failed messages, which alone have an error: the change of a status writes none of them. */
export const failedMessages = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("CREATE INDEX messages_id_failed ON messages (id) WHERE error IS NOT NULL")
  yield* sql.unsafe(
    "CREATE INDEX messages_workspace_id_id_failed ON messages (workspace_id, id) WHERE error IS NOT NULL"
  )
})
