import type { SqlError } from "@effect/sql/SqlError"
import type { Lane } from "@parley/core"
import type { Column, Dialect, Fault, Kind } from "@parley/sql"
import { bounded, claimJobs } from "./claimJobs.js"
import { schemaVersion } from "./migrations/index.js"
import { postponeJobs } from "./postponeJobs.js"
import { readOnlyServer } from "./queryCall.js"
import { suffixOf } from "./schemaNames.js"
import { isIndexed } from "./searchIndex.js"

const types: { readonly [K in Kind]: string } = {
  uuid: "uuid",
  text: "text",
  integer: "bigint",
  boolean: "boolean",
  json: "json"
}

/** SQLSTATEs of class 08, and those of a server that shuts down, has no free connection, or became read-only. */
const isLost = (code: string) =>
  code.startsWith("08") || ["57P01", "57P02", "57P03", "57P05", "53300", "25P03", readOnlyServer].includes(code)

const faultOf = ({ cause }: SqlError): Fault => {
  const code = cause instanceof Error && "code" in cause ? `${cause.code}` : ""
  // A code that is no SQLSTATE is an error of the socket or of the pool.
  if (!/^[0-9A-Z]{5}$/.test(code) || code === "EPIPE" || isLost(code)) return "lost"
  if (code.startsWith("22") || code.startsWith("23")) return "rejected"
  if (code === "40P01" || code === "40001") return "again"
  return code === "55P03" ? "locked" : "unavailable"
}

// A window that opens more than its length ahead is from before the clock was set back: it would refuse until then.
const isOver =
  "(excluded.opened_at >= b.opened_at + excluded.window_ms OR excluded.opened_at < b.opened_at - excluded.window_ms)"

// The setting ends with the statement's own transaction. A crash can lose token counts and nothing else.
const tokenRequest = `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO buckets AS b (key, opened_at, window_ms, max_tokens, used, asked)
SELECT v.bucket, v.now, v."windowMs", v."limit", least(v."limit", v.count), v.count
FROM relaxed CROSS JOIN json_to_recordset($1::json) AS v(bucket text, now bigint, "windowMs" bigint, "limit" bigint, count bigint)
ON CONFLICT (key) DO UPDATE SET
  opened_at = CASE WHEN ${isOver} THEN excluded.opened_at ELSE b.opened_at END,
  window_ms = excluded.window_ms,
  max_tokens = excluded.max_tokens,
  used = CASE WHEN ${isOver} THEN excluded.used
    ELSE greatest(b.used, least(excluded.max_tokens, b.used + excluded.asked)) END,
  asked = CASE WHEN ${isOver} THEN excluded.asked
    ELSE b.used + excluded.asked END
RETURNING key AS bucket, opened_at AS "openedAt", asked`

// The expiry of a slot queue moves in steps of an hour, so that most reservations do not update its index.
const reserve = `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO send_slots AS s (key, next_us, taken_us, kept_until)
SELECT v.key, v."nowUs" + v."takenUs", v."takenUs", v."keptUntil" + 3600000
FROM relaxed CROSS JOIN json_to_recordset($1::json) AS v(key text, "nowUs" bigint, "takenUs" bigint, "keptUntil" bigint)
ON CONFLICT (key) DO UPDATE SET
  next_us = greatest(s.next_us + excluded.taken_us, excluded.next_us),
  taken_us = excluded.taken_us,
  kept_until = CASE
    WHEN s.kept_until < excluded.kept_until - 3600000 + greatest(s.next_us + excluded.taken_us - excluded.next_us, 0) / 1000
    THEN excluded.kept_until + greatest(s.next_us + excluded.taken_us - excluded.next_us, 0) / 1000
    ELSE s.kept_until END
RETURNING key, next_us AS "nextUs"`

// Plans are cached, and a table that was nearly empty when a plan was made may be large when it is used (jobs come in
// bursts). A lateral subquery forces the planner to look up row by row by index. Rows to update or delete were locked
// or inserted earlier in the same transaction, so that their ctid does not change.
const placeOf = (table: string, conditions: string) =>
  `(SELECT t.ctid AS place FROM ${table} AS t WHERE ${conditions} OFFSET 0)`

// Uses a row of the list that no open transaction has locked. Otherwise, it inserts a row with the id of this
// transaction, which is unique. So a list has at most as many rows as there were concurrent transactions that counted
// it.
const addToCounts = (rows: string) => `INSERT INTO contact_counts AS c (workspace_id, facet, id, n)
SELECT v."workspaceId", v.facet, coalesce(
  (SELECT f.id FROM contact_counts AS f WHERE f.workspace_id = v."workspaceId" AND f.facet = v.facet ORDER BY f.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
  pg_current_xact_id()::text::bigint
), v.n FROM ${rows} WHERE true
ON CONFLICT (workspace_id, facet, id) DO UPDATE SET n = c.n + excluded.n`

// Set operations must compare names with the collation of the list tables.
const nameKey = 'name_key COLLATE "C" AS name_key'
const contactLists: Dialect["contactLists"] = {
  lock: "LOCK TABLE contacts, contact_facets, contact_search, contact_counts IN SHARE ROW EXCLUSIVE MODE",
  facets: `SELECT workspace_id, '' AS facet, ${nameKey}, id FROM contacts
  UNION SELECT workspace_id, 'stage:' || lifecycle_stage, ${nameKey}, id FROM contacts
  UNION SELECT workspace_id, 'tag:' || tag, ${nameKey}, id FROM contacts, json_array_elements_text(tags) AS tag
  UNION SELECT workspace_id, 'channel:' || (one ->> 'channel'), ${nameKey}, id FROM contacts, json_array_elements(identities) AS one`,
  search: `SELECT workspace_id, ${nameKey}, id, search_key FROM contacts`
}

/**
 * Whether the trigram index can find a text. Otherwise the whole index would be read, which is slower than reading the
 * table.
 */
const hasTrigram = /[\p{L}\p{N}]{3}/u

/** The columns that have values. A column absent from the JSON is null, and parsing fewer columns is faster. */
const present = (columns: ReadonlyArray<Column>, row: Record<string, unknown>): Record<string, unknown> => {
  const values: Record<string, unknown> = {}
  for (const { name } of columns) if (row[name] !== null) values[name] = row[name]
  return values
}

// A row locked FOR SHARE can be locked so by newcomers while a writer waits, and lock_timeout begins anew for each of
// them. Advisory locks queue: newcomers wait behind a waiting writer. The filter runs before the row is locked.
const turnIn =
  (schema: string | undefined): Dialect["turn"] =>
  (table, key, strength, mode) => {
    const lock = `${mode === "skip" ? "pg_try_advisory" : "pg_advisory"}_xact_lock${strength === "shared" ? "_shared" : ""}`
    const call = `${lock}(hashtext('parley${suffixOf(schema)} ${table}'), hashtext(${key}::text))`
    return mode === "skip" ? call : `${call} IS NOT NULL`
  }

/**
 * A third of the connections, so that commits, reads and claims of jobs have the others. Two of few connections, so
 * that one workspace does not have all places.
 */
const countedListsOf = (maxConnections: number): number =>
  Math.max(maxConnections < 4 ? 1 : 2, Math.floor(maxConnections / 3))

/**
 * The dialect of Postgres, for tables in this schema; undefined: in the one that the role's `search_path` finds.
 * `maxConnections`: of the pool.
 */
export const dialectIn = (schema: string | undefined, maxConnections = 12): Dialect => ({
  name: "postgres",
  commits: { concurrency: 2, maxBatch: 200, minWaiting: 24 },
  reads: { concurrency: 2, minWaiting: 24 },
  countedLists: countedListsOf(maxConnections),
  parameter: (n) => `$${n}`,
  rows: (n, columns) =>
    `json_to_recordset($${n}::json) AS v(${columns.map(({ kind, name }) => `"${name}" ${types[kind]}`).join(", ")})`,
  portions: (columns, rows) => [{ size: 0, parameters: [JSON.stringify(rows.map((row) => present(columns, row)))] }],
  combines: true,
  asJson: (select) => `(SELECT json_agg(f) FROM (${select}) AS f)`,
  oneOf: ({ kind, sql }, n) => `t.${sql} IN (SELECT value::${types[kind]} FROM json_array_elements_text($${n}::json))`,
  contains: (column, text, bind) =>
    hasTrigram.test(text)
      ? `${column} LIKE ${bind(`%${text.replace(/[\\%_]/g, "\\$&")}%`)}`
      : `strpos(${column}, ${bind(text)}) > 0`,
  byCodePoint: ' COLLATE "C"',
  decode: () => {},
  locks: { exclusive: " FOR NO KEY UPDATE OF t", shared: " FOR SHARE OF t" },
  skipLocked: " SKIP LOCKED",
  turn: turnIn(schema),
  lookUp: (rows, table, conditions, lock) =>
    `${rows} CROSS JOIN LATERAL (SELECT t.* FROM ${table} AS t WHERE ${conditions}${lock || " OFFSET 0"}) AS t`,
  firstOf: (rows, table, conditions, order, limit) =>
    `${rows} CROSS JOIN LATERAL (SELECT t.* FROM ${table} AS t WHERE ${conditions} ORDER BY ${order} LIMIT ${limit}) AS t`,
  remove: (rows, table, keys) =>
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT t.place FROM ${rows} CROSS JOIN LATERAL ${placeOf(table, keys.map(({ name, sql }) => `t.${sql} = v."${name}"`).join(" AND "))} AS t))`,
  removeFirst: (table, _, { condition, limit, order }) =>
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT t.ctid FROM ${table} AS t WHERE ${condition} ORDER BY ${order} LIMIT ${limit} FOR NO KEY UPDATE OF t SKIP LOCKED))`,
  update: (rows, table, conditions, assigned) =>
    `UPDATE ${table} AS t SET ${assigned} FROM (SELECT v.*, t.place FROM ${rows} CROSS JOIN LATERAL ${placeOf(table, conditions)} AS t) AS v WHERE t.ctid = v.place`,
  addToCounts,
  contactLists,
  begin: ({ lockTimeoutMs }) => ({
    text: `BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}; SELECT pg_current_xact_id()::text || ' ' || pg_postmaster_start_time() AS transaction`,
    parameters: []
  }),
  transactionStatus: {
    // The rows of each of the three commands.
    nameOf: (rows) => rows[2][0].transaction,
    query: (name) => ({
      text: "SELECT pg_xact_status($1::xid8) AS status, pg_postmaster_start_time()::text = $2 AS same",
      parameters: [name.slice(0, name.indexOf(" ")), name.slice(name.indexOf(" ") + 1)]
    }),
    statusOf: ([row]) => {
      if (row.status === "aborted") return "aborted"
      // After a crash, the server may have assigned the number to another transaction.
      if (row.status === "committed") return row.same ? "committed" : "unknown"
      return row.status === "in progress" ? "open" : "unknown"
    }
  },
  faultOf,
  takeTokens: (rows) => ({ text: tokenRequest, parameters: [rows] }),
  reserve: (rows) => ({ text: reserve, parameters: [rows] }),
  dueLanes: null,
  claimJobs: ({ lanes, leaseUntil, now, owner }) => ({
    text: claimJobs,
    parameters: [now, owner, leaseUntil, JSON.stringify(lanes.map(bounded))]
  }),
  claimedOf: (found) => ({
    rows: found.flatMap(({ clearedTo, ...job }) => (job.id === null ? [] : [job])),
    clearedTo: new Map(found.map(({ clearedTo, lane }) => [lane as Lane, Number(clearedTo)]))
  }),
  postponeJobs: ({ behind, dueBefore, field, lane, limit, notBefore, subject }) => ({
    text: postponeJobs,
    parameters: [lane, subject, field, behind, notBefore, dueBefore, limit]
  }),
  // Transactions of other roles are seen with the rights of pg_read_all_stats.
  health: `(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock,
  (SELECT coalesce((extract(epoch FROM clock_timestamp() - min(xact_start)) * 1000)::bigint, 0) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()) AS "oldestTransactionMs",
  ${isIndexed} AS "searchIsIndexed"`,
  schemaVersion
})

export const dialect = dialectIn(undefined)
