import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** The vendor's JSON of messages, with their first events. */
export const vendorJson = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("ALTER TABLE events ADD COLUMN raw TEXT")
})
