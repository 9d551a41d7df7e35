import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * Contacts are listed by tables of the adapter's own, which triggers keep in the transaction that changes a contact:
 *
 * - `contact_facets` has a row for each list that a contact is in: the one of all (`''`), of its stage, of each tag and
 *   of each channel, in the order of the names;
 * - `contact_counts` says how many are in each: their sum. Rows are only ever added, so that no two transactions wait
 *   for each other; now and then those of a list are folded into one, but for those that another transaction is
 *   folding;
 * - `contact_search` has what is searched, apart from the rows that every message touches.
 */
const statements: ReadonlyArray<string> = [
  `CREATE EXTENSION IF NOT EXISTS pg_trgm`,
  `CREATE EXTENSION IF NOT EXISTS btree_gin`,
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
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    n bigint NOT NULL,
    PRIMARY KEY (workspace_id, facet, id)
  )`,
  `CREATE TABLE contact_search (
    contact_id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    search_key text NOT NULL
  )`,
  `CREATE FUNCTION contact_facets_of(lifecycle_stage text, tags json, identities json) RETURNS SETOF text
  LANGUAGE sql IMMUTABLE ROWS 6 AS $$
    SELECT ''
    UNION SELECT 'stage:' || lifecycle_stage
    UNION SELECT 'tag:' || tag FROM json_array_elements_text(tags) AS tag
    UNION SELECT 'channel:' || (one ->> 'channel') FROM json_array_elements(identities) AS one
  $$`,
  `CREATE FUNCTION contact_counts_grown() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    WITH folded AS (
      DELETE FROM contact_counts WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM contact_counts WHERE workspace_id = NEW.workspace_id AND facet = NEW.facet
        FOR UPDATE SKIP LOCKED
      )) RETURNING n
    )
    INSERT INTO contact_counts (workspace_id, facet, n)
    SELECT NEW.workspace_id, NEW.facet, sum(n) FROM folded HAVING sum(n) <> 0;
    RETURN NULL;
  END $$`,
  // A random row: batches of similar contacts add to the same lists in the same order, so that each n-th row would
  // belong to one of them.
  `CREATE TRIGGER contact_counts_grown AFTER INSERT ON contact_counts
  FOR EACH ROW WHEN (random() < 0.02) EXECUTE FUNCTION contact_counts_grown()`,
  `CREATE FUNCTION contact_facets_counted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO contact_counts (workspace_id, facet, n)
    SELECT workspace_id, facet, count(*) * TG_ARGV[0]::bigint FROM counted GROUP BY 1, 2;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER contact_facets_added AFTER INSERT ON contact_facets
  REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION contact_facets_counted('1')`,
  `CREATE TRIGGER contact_facets_removed AFTER DELETE ON contact_facets
  REFERENCING OLD TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION contact_facets_counted('-1')`,
  // An index does not take much longer names.
  `UPDATE contacts SET name_key = left(name_key, 255) WHERE length(name_key) > 255`,
  `INSERT INTO contact_search (contact_id, workspace_id, name_key, search_key)
  SELECT id, workspace_id, name_key, search_key FROM contacts`,
  `INSERT INTO contact_facets (workspace_id, facet, name_key, contact_id)
  SELECT c.workspace_id, facet, c.name_key, c.id
  FROM contacts AS c CROSS JOIN contact_facets_of(c.lifecycle_stage, c.tags, c.identities) AS facet`,
  `CREATE INDEX contact_search_workspace_id_search_key ON contact_search USING gin (workspace_id, search_key gin_trgm_ops)
  WITH (gin_pending_list_limit = 512)`,
  `CREATE FUNCTION contacts_added() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO contact_search (contact_id, workspace_id, name_key, search_key)
    SELECT id, workspace_id, name_key, search_key FROM added;
    INSERT INTO contact_facets (workspace_id, facet, name_key, contact_id)
    SELECT c.workspace_id, facet, c.name_key, c.id
    FROM added AS c CROSS JOIN contact_facets_of(c.lifecycle_stage, c.tags, c.identities) AS facet;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER contacts_added AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION contacts_added()`,
  `CREATE FUNCTION contact_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    before text[] := ARRAY(SELECT contact_facets_of(OLD.lifecycle_stage, OLD.tags, OLD.identities));
    after text[] := ARRAY(SELECT contact_facets_of(NEW.lifecycle_stage, NEW.tags, NEW.identities));
  BEGIN
    UPDATE contact_search SET name_key = NEW.name_key, search_key = NEW.search_key
    WHERE contact_id = NEW.id AND (name_key, search_key) IS DISTINCT FROM (NEW.name_key, NEW.search_key);
    DELETE FROM contact_facets
    WHERE workspace_id = OLD.workspace_id AND facet = ANY (before) AND name_key = OLD.name_key AND contact_id = OLD.id
    AND NOT (name_key = NEW.name_key AND facet = ANY (after));
    INSERT INTO contact_facets (workspace_id, facet, name_key, contact_id)
    SELECT NEW.workspace_id, facet, NEW.name_key, NEW.id FROM unnest(after) AS facet ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$`,
  // Only columns that messages do not change.
  `CREATE TRIGGER contact_changed AFTER UPDATE OF name_key, search_key, lifecycle_stage, tags, identities ON contacts
  FOR EACH ROW EXECUTE FUNCTION contact_changed()`,
  `CREATE FUNCTION contact_removed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM contact_search WHERE contact_id = OLD.id;
    DELETE FROM contact_facets
    WHERE workspace_id = OLD.workspace_id AND name_key = OLD.name_key AND contact_id = OLD.id
    AND facet = ANY (ARRAY(SELECT contact_facets_of(OLD.lifecycle_stage, OLD.tags, OLD.identities)));
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER contact_removed AFTER DELETE ON contacts FOR EACH ROW EXECUTE FUNCTION contact_removed()`,
  `CREATE INDEX contacts_workspace_id_created_at ON contacts (workspace_id, created_at)`,
  `CREATE INDEX conversations_connection_id_status_last_activity_at_id
  ON conversations (connection_id, status, last_activity_at, id)`
]

/** The tables from which contacts and conversations are listed. */
export const lists = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
