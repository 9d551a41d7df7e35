import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { createSearchIndex } from "../searchIndex.js"

/**
 * Tables from which contacts are listed:
 *
 * - `contact_facets` has a row for each list that contains a contact, in the order of names: the list of all contacts
 *   (`''`), of its stage, of each of its tags and of each of its channels;
 * - `contact_counts` has the number of contacts in each list, as the sum of its rows;
 * - `contact_search` has the text that is searched, apart from `contacts`, which every message updates.
 *
 * Databases created before schema version 7 maintain them by triggers until they are migrated to it.
 */
const statements: ReadonlyArray<string> = [
  `CREATE TABLE contact_facets (
    workspace_id uuid NOT NULL,
    facet text COLLATE "C" NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    contact_id uuid NOT NULL,
    PRIMARY KEY (workspace_id, facet, name_key, contact_id)
  )`,
  `CREATE TABLE contact_counts (
    workspace_id uuid NOT NULL,
    facet text COLLATE "C" NOT NULL,
    id bigint NOT NULL DEFAULT 0,
    n bigint NOT NULL,
    PRIMARY KEY (workspace_id, facet, id)
  )`,
  `CREATE TABLE contact_search (
    contact_id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    search_key text NOT NULL
  )`,
  // An index does not take much longer names.
  `UPDATE contacts SET name_key = left(name_key, 255) WHERE length(name_key) > 255`,
  `INSERT INTO contact_search (contact_id, workspace_id, name_key, search_key)
  SELECT id, workspace_id, name_key, search_key FROM contacts`,
  `INSERT INTO contact_facets (workspace_id, facet, name_key, contact_id)
  SELECT workspace_id, '', name_key, id FROM contacts
  UNION SELECT workspace_id, 'stage:' || lifecycle_stage, name_key, id FROM contacts
  UNION SELECT workspace_id, 'tag:' || tag, name_key, id FROM contacts, json_array_elements_text(tags) AS tag
  UNION SELECT workspace_id, 'channel:' || (one ->> 'channel'), name_key, id FROM contacts, json_array_elements(identities) AS one`,
  `INSERT INTO contact_counts (workspace_id, facet, n)
  SELECT workspace_id, facet, count(*) FROM contact_facets GROUP BY workspace_id, facet`,
  `CREATE INDEX contacts_workspace_id_created_at ON contacts (workspace_id, created_at)`,
  `CREATE INDEX conversations_connection_id_status_last_activity_at_id
  ON conversations (connection_id, status, last_activity_at, id)`
]

/** The tables from which contacts and conversations are listed. */
export const lists = Effect.flatMap(SqlClient, (sql) =>
  Effect.zipRight(
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }),
    createSearchIndex(sql)
  )
)
