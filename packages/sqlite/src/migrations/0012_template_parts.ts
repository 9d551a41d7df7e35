import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** What templates have around their bodies. */
export const templateParts = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("ALTER TABLE templates ADD COLUMN parts TEXT")
})
