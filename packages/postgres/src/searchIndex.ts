import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"

/** The extensions of the index of search texts. */
const extensions = ["pg_trgm", "btree_gin"]

/**
 * Creates an extension if it is missing. In `public` if there is such a schema, since other programs and other schemas
 * with tables of Parley may use it. Does nothing without the right, or if the server does not have the extension.
 */
const createExtension = (name: string) => `DO $$
BEGIN
  EXECUTE format('CREATE EXTENSION IF NOT EXISTS ${name} SCHEMA %I', coalesce((SELECT nspname FROM pg_namespace WHERE nspname = 'public'), current_schema()));
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN NULL;
  -- Another schema's migration created it at the same time.
  WHEN unique_violation OR duplicate_object THEN NULL;
END $$`

/** The schema of `pg_trgm`, if the role may use both extensions. */
const trigramSchema = `SELECT quote_ident(n.nspname) AS schema FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
WHERE e.extname = 'pg_trgm' AND has_schema_privilege(n.oid, 'USAGE')
  AND EXISTS (SELECT 1 FROM pg_extension AS other WHERE other.extname = 'btree_gin')`

const missing = "SELECT to_regclass('contact_search_workspace_id_search_key') IS NULL AS missing"

const fallback = "contact_search_workspace_id"

/** Whether contacts are searched without the trigram index: a search then reads all contacts of its workspace. */
export const lacksSearchIndex = (sql: SqlClient): Effect.Effect<boolean, SqlError> =>
  Effect.map(sql.unsafe<{ readonly missing: boolean }>(missing), ([row]) => row?.missing === true)

/**
 * Creates the index of search texts, if it is missing and the role may have its extensions. Otherwise an index by workspace,
 * so that a search reads no contacts of others.
 */
export const createSearchIndex = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    if (!(yield* lacksSearchIndex(sql))) return
    for (const name of extensions) yield* sql.unsafe(createExtension(name))
    const [found] = yield* sql.unsafe<{ readonly schema: string }>(trigramSchema)
    if (found === undefined) {
      yield* sql.unsafe(`CREATE INDEX IF NOT EXISTS ${fallback} ON contact_search (workspace_id)`)
      return
    }
    yield* sql.unsafe(
      `CREATE INDEX contact_search_workspace_id_search_key ON contact_search USING gin (workspace_id, search_key ${found.schema}.gin_trgm_ops)
  WITH (gin_pending_list_limit = 512)`
    )
    yield* sql.unsafe(`DROP INDEX IF EXISTS ${fallback}`)
  })
