import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Triggers that earlier versions created. */
const triggers: ReadonlyArray<string> = [
  "contact_added",
  "contact_changed",
  "contact_removed",
  "contact_facet_added",
  "contact_facet_removed"
]

/** The commit that changes a contact writes its lists. There are no triggers any more. */
export const listsByCommit = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(triggers, (name) => sql.unsafe(`DROP TRIGGER IF EXISTS ${name}`), { discard: true })
)
