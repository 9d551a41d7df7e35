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

/** A value of a select: whether search texts are indexed by trigrams. */
export const isIndexed = "to_regclass('contact_search_workspace_id_search_key') IS NOT NULL"

const fallback = "contact_search_workspace_id"

const hasIndex = (sql: SqlClient): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql.unsafe<{ readonly indexed: boolean }>(`SELECT ${isIndexed} AS indexed`),
    ([row]) => row?.indexed === true
  )

/** Logs a warning if contacts are searched without the trigram index. */
export const warnWithoutIndex = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.flatMap(hasIndex(sql), (indexed) =>
    indexed
      ? Effect.void
      : Effect.logWarning(
          `A search of contacts reads all contacts of its workspace, because the extensions ${extensions.join(" and ")} were missing or not usable. Run, as a superuser: ${extensions.map((name) => `CREATE EXTENSION IF NOT EXISTS ${name};`).join(" ")} Then: parley contact recount (embedded: recountContacts).`
        )
  )

/**
 * Creates the index of search texts, if it is missing and the role may have its extensions. Otherwise an index by
 * workspace, so that a search reads no contacts of others.
 */
export const createSearchIndex = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    if (yield* hasIndex(sql)) return
    for (const name of extensions) yield* sql.unsafe(createExtension(name))
    const [found] = yield* sql.unsafe<{ readonly schema: string }>(trigramSchema)
    if (found === undefined) {
      yield* sql.unsafe(`CREATE INDEX IF NOT EXISTS ${fallback} ON contact_search (workspace_id)`)
      return
    }
    yield* sql.unsafe(
      `CREATE INDEX IF NOT EXISTS contact_search_workspace_id_search_key ON contact_search USING gin (workspace_id, search_key ${found.schema}.gin_trgm_ops)
  WITH (gin_pending_list_limit = 512)`
    )
    yield* sql.unsafe(`DROP INDEX IF EXISTS ${fallback}`)
  })
