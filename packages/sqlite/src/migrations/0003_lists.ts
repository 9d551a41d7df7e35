import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * Tables from which contacts are listed:
 *
 * - `contact_facets` has a row for each list that contains a contact, in the order of names: the list of all contacts
 *   (`''`), of its stage, of each of its tags and of each of its channels;
 * - `contact_counts` has the number of contacts in each list;
 * - `contact_search` has the text that is searched, apart from `contacts`, which every message updates.
 *
 * Databases created before schema version 7 maintain them by triggers until they are migrated to it.
 */
const statements: ReadonlyArray<string> = [
  `CREATE TABLE contact_facets (
    workspace_id TEXT NOT NULL,
    facet TEXT NOT NULL,
    name_key TEXT NOT NULL,
    contact_id TEXT NOT NULL,
    PRIMARY KEY (workspace_id, facet, name_key, contact_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE contact_counts (
    workspace_id TEXT NOT NULL,
    facet TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, facet)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE contact_search (
    workspace_id TEXT NOT NULL,
    name_key TEXT NOT NULL,
    contact_id TEXT NOT NULL,
    search_key TEXT NOT NULL,
    PRIMARY KEY (workspace_id, name_key, contact_id)
  ) STRICT, WITHOUT ROWID`,
  // The same limit as on Postgres, where an index does not take much longer names.
  `UPDATE contacts SET name_key = substr(name_key, 1, 255) WHERE length(name_key) > 255`,
  `INSERT INTO contact_search (workspace_id, name_key, contact_id, search_key)
  SELECT workspace_id, name_key, id, search_key FROM contacts`,
  `INSERT INTO contact_facets (workspace_id, facet, name_key, contact_id)
  SELECT workspace_id, '', name_key, id FROM contacts
  UNION SELECT workspace_id, 'stage:' || lifecycle_stage, name_key, id FROM contacts
  UNION SELECT workspace_id, 'tag:' || value, name_key, contacts.id FROM contacts, json_each(tags)
  UNION SELECT workspace_id, 'channel:' || (value ->> 'channel'), name_key, contacts.id FROM contacts, json_each(identities)`,
  `INSERT INTO contact_counts (workspace_id, facet, n)
  SELECT workspace_id, facet, count(*) FROM contact_facets GROUP BY workspace_id, facet`,
  `CREATE INDEX contacts_workspace_id_created_at ON contacts (workspace_id, created_at)`,
  `CREATE INDEX conversations_connection_id_status_last_activity_at_id
  ON conversations (connection_id, status, last_activity_at, id)`
]

/** The tables from which contacts and conversations are listed. */
export const lists = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
