import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** The lists that contain a contact, given `new`, `old` or the table as the row. */
const facetsOf = (row: string): string => `SELECT '' AS facet
    UNION SELECT 'stage:' || ${row}.lifecycle_stage
    UNION SELECT 'tag:' || value FROM json_each(${row}.tags)
    UNION SELECT 'channel:' || (value ->> 'channel') FROM json_each(${row}.identities)`

const added = `
    INSERT INTO contact_search (workspace_id, name_key, contact_id, search_key)
    VALUES (new.workspace_id, new.name_key, new.id, new.search_key);
    INSERT INTO contact_facets (workspace_id, facet, name_key, contact_id)
    SELECT new.workspace_id, facet, new.name_key, new.id FROM (${facetsOf("new")});`

const removed = `
    DELETE FROM contact_search WHERE workspace_id = old.workspace_id AND name_key = old.name_key AND contact_id = old.id;
    DELETE FROM contact_facets WHERE workspace_id = old.workspace_id AND facet IN (${facetsOf("old")})
    AND name_key = old.name_key AND contact_id = old.id;`

/**
 * Contacts are listed by tables of the adapter's own, which triggers keep in the transaction that changes a contact:
 *
 * - `contact_facets` has a row for each list that a contact is in: the one of all (`''`), of its stage, of each tag and
 *   of each channel, in the order of the names;
 * - `contact_counts` says how many are in each;
 * - `contact_search` has what is searched, and little else: a search reads all of a workspace's.
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
  `CREATE TRIGGER contact_facet_added AFTER INSERT ON contact_facets BEGIN
    INSERT INTO contact_counts (workspace_id, facet, n) VALUES (new.workspace_id, new.facet, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
  END`,
  `CREATE TRIGGER contact_facet_removed AFTER DELETE ON contact_facets BEGIN
    UPDATE contact_counts SET n = n - 1 WHERE workspace_id = old.workspace_id AND facet = old.facet;
  END`,
  // The same limit as on Postgres, where an index does not take much longer names.
  `UPDATE contacts SET name_key = substr(name_key, 1, 255) WHERE length(name_key) > 255`,
  `INSERT INTO contact_search (workspace_id, name_key, contact_id, search_key)
  SELECT workspace_id, name_key, id, search_key FROM contacts`,
  `INSERT INTO contact_facets (workspace_id, facet, name_key, contact_id)
  SELECT workspace_id, '', name_key, id FROM contacts
  UNION SELECT workspace_id, 'stage:' || lifecycle_stage, name_key, id FROM contacts
  UNION SELECT workspace_id, 'tag:' || value, name_key, contacts.id FROM contacts, json_each(tags)
  UNION SELECT workspace_id, 'channel:' || (value ->> 'channel'), name_key, contacts.id FROM contacts, json_each(identities)`,
  `CREATE TRIGGER contact_added AFTER INSERT ON contacts BEGIN${added}
  END`,
  // Only columns that messages do not change.
  `CREATE TRIGGER contact_changed AFTER UPDATE OF name_key, search_key, lifecycle_stage, tags, identities ON contacts
  BEGIN${removed}${added}
  END`,
  `CREATE TRIGGER contact_removed AFTER DELETE ON contacts BEGIN${removed}
  END`,
  `CREATE INDEX contacts_workspace_id_created_at ON contacts (workspace_id, created_at)`,
  `CREATE INDEX conversations_connection_id_status_last_activity_at_id
  ON conversations (connection_id, status, last_activity_at, id)`
]

/** The tables from which contacts and conversations are listed. */
export const lists = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
