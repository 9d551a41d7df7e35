import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** The images of agents. */
export const agentAvatars = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("ALTER TABLE agents ADD COLUMN avatar TEXT")
})
