import type { SqlError } from "@effect/sql/SqlError"
import type { Column, Dialect, Fault, Kind } from "@parley/sql"
import { Effect } from "effect"
import { claimJobs } from "./claimJobs.js"
import { schemaVersion } from "./migrations/index.js"
import { postponeJobs } from "./postponeJobs.js"

const types: { readonly [K in Kind]: string } = {
  uuid: "uuid",
  text: "text",
  integer: "bigint",
  boolean: "boolean",
  json: "json"
}

/** SQLSTATEs of class 08, and those with which a server that goes down or is full turns us away. */
const isLost = (code: string) =>
  code.startsWith("08") || ["57P01", "57P02", "57P03", "57P05", "53300", "25P03"].includes(code)

const faultOf = ({ cause }: SqlError): Fault => {
  const code = cause instanceof Error && "code" in cause ? `${cause.code}` : ""
  // what is no SQLSTATE comes from the socket or the pool
  if (!/^[0-9A-Z]{5}$/.test(code) || code === "EPIPE" || isLost(code)) return "lost"
  if (code.startsWith("22") || code.startsWith("23")) return "rejected"
  if (code === "40P01" || code === "40001") return "again"
  return code === "55P03" ? "locked" : "unavailable"
}

// the setting ends with the statement's own transaction: a crash may lose tokens that were drawn, and nothing else
const draw = `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO buckets AS b (key, opened_at, window_ms, max_tokens, used, asked)
SELECT v.bucket, v.now, v."windowMs", v."limit", least(v."limit", v.count), v.count
FROM relaxed CROSS JOIN json_to_recordset($1::json) AS v(bucket text, now bigint, "windowMs" bigint, "limit" bigint, count bigint)
ON CONFLICT (key) DO UPDATE SET
  opened_at = CASE WHEN excluded.opened_at >= b.opened_at + excluded.window_ms THEN excluded.opened_at ELSE b.opened_at END,
  window_ms = excluded.window_ms,
  max_tokens = excluded.max_tokens,
  used = CASE WHEN excluded.opened_at >= b.opened_at + excluded.window_ms THEN excluded.used
    ELSE greatest(b.used, least(excluded.max_tokens, b.used + excluded.asked)) END,
  asked = CASE WHEN excluded.opened_at >= b.opened_at + excluded.window_ms THEN excluded.asked
    ELSE b.used + excluded.asked END
RETURNING key AS bucket, opened_at AS "openedAt", asked`

// How long a line matters is moved an hour at a time, so that its index is left alone by most reservations.
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

// Plans are kept, and a table that was nearly empty when a plan was made may be large when it is used (jobs come in
// bursts). A lateral subquery leaves the planner no choice but to look one row after the other up by its index. Rows that
// are updated or deleted were locked or inserted before by the same transaction, so that their place stays.
const placeOf = (table: string, conditions: string) =>
  `(SELECT t.ctid AS place FROM ${table} AS t WHERE ${conditions} OFFSET 0)`

/** Whether the index of trigrams can find a text; else it would be read from end to end, which takes longer than the table. */
const hasTrigram = /[\p{L}\p{N}]{3}/u

/** The columns of a row that have values: what is not in the JSON is null, and reading it takes time. */
const present = (columns: ReadonlyArray<Column>, row: Record<string, unknown>): Record<string, unknown> => {
  const values: Record<string, unknown> = {}
  for (const { name } of columns) if (row[name] !== null) values[name] = row[name]
  return values
}

/** How Postgres says what the storage means. */
export const dialect: Dialect = {
  name: "postgres",
  commits: { concurrency: 2, maxBatch: 200, worthAnother: 24 },
  reads: { concurrency: 2, worthAnother: 24 },
  parameter: (n) => `$${n}`,
  rows: (n, columns) =>
    `json_to_recordset($${n}::json) AS v(${columns.map(({ kind, name }) => `"${name}" ${types[kind]}`).join(", ")})`,
  portions: (columns, rows) => [{ size: 0, parameters: [JSON.stringify(rows.map((row) => present(columns, row)))] }],
  pipelines: true,
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
  begin: (connection, { lockTimeoutMs }) =>
    Effect.map(
      connection.executeUnprepared(
        `BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}; SELECT pg_current_xact_id()::text || ' ' || pg_postmaster_start_time() AS transaction`,
        [],
        undefined
      ),
      (results) => results[2][0].transaction as string
    ),
  fateOf: (connection, transaction) =>
    Effect.map(
      connection.execute(
        "SELECT pg_xact_status($1::xid8) AS status, pg_postmaster_start_time()::text = $2 AS same",
        [transaction.slice(0, transaction.indexOf(" ")), transaction.slice(transaction.indexOf(" ") + 1)],
        undefined
      ),
      ([row]) => {
        if (row.status === "aborted") return "aborted"
        // a server that crashed may have given the number to another transaction
        if (row.status === "committed") return row.same ? "committed" : "unknown"
        return row.status === "in progress" ? "open" : "unknown"
      }
    ),
  faultOf,
  draw: (connection, rows) => connection.execute(draw, [rows], undefined),
  reserve: (connection, rows) => connection.execute(reserve, [rows], undefined),
  claimJobs: (connection, { lanes, leaseUntil, now, owner }) =>
    connection.execute(claimJobs, [now, owner, leaseUntil, JSON.stringify(lanes)], undefined),
  postponeJobs: (connection, { behind, dueBefore, field, lane, limit, notBefore, subject }) =>
    connection.execute(postponeJobs, [lane, subject, field, behind, notBefore, dueBefore, limit], undefined),
  clock: "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock",
  schemaVersion
}
