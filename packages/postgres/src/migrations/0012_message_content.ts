import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** What messages carry beside text and files, and around their content. */
export const messageContent = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("ALTER TABLE messages ADD COLUMN content json")
  yield* sql.unsafe("ALTER TABLE messages ADD COLUMN envelope json")
})
