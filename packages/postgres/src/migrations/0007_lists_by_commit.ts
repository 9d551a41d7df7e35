import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Functions that earlier versions created, with the triggers that called them. */
const functions: ReadonlyArray<string> = [
  "contacts_added()",
  "contact_changed()",
  "contact_removed()",
  "contact_facets_counted()",
  "contact_counts_grown()",
  "contact_facets_of(text, json, json)"
]

/** A commit provides the ids of rows of counts. Only in databases of earlier versions does the column generate them. */
const namesCounts = `SELECT 1 FROM pg_attribute
WHERE attrelid = 'contact_counts'::regclass AND attname = 'id' AND attidentity <> ''`

/** The commit that changes a contact writes its lists. There are no triggers any more. */
export const listsByCommit = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const name of functions) yield* sql.unsafe(`DROP FUNCTION IF EXISTS ${name} CASCADE`)
  const named = yield* sql.unsafe(namesCounts)
  if (named.length === 0) return
  yield* sql.unsafe("ALTER TABLE contact_counts ALTER COLUMN id DROP IDENTITY")
  yield* sql.unsafe("ALTER TABLE contact_counts ALTER COLUMN id SET DEFAULT 0")
})
