import type { SqlError } from "@effect/sql/SqlError"
import type { Dialect, Fault, Table } from "@parley/sql"
import { Predicate } from "effect"
import { claimJobs, dueLanes } from "./claimJobs.js"
import { schemaVersion } from "./migrations/index.js"
import { postponeJobs } from "./postponeJobs.js"
import { portionsOf, rowsOf } from "./rowValues.js"

const decoded = new Map<Table, ReadonlyArray<readonly [name: string, isJson: boolean]>>()

/** The columns whose type SQLite does not have. */
const columnsToDecode = (table: Table) => {
  let columns = decoded.get(table)
  if (columns === undefined) {
    columns = table.columns
      .filter(({ kind }) => kind === "boolean" || kind === "json")
      .map(({ kind, name }) => [name, kind === "json"] as const)
    decoded.set(table, columns)
  }
  return columns
}

const faultOf = ({ cause }: SqlError): Fault => {
  const code = Predicate.hasProperty(cause, "code") ? `${cause.code}` : ""
  if (code.startsWith("SQLITE_CONSTRAINT") || code === "SQLITE_TOOBIG" || code === "SQLITE_MISMATCH") return "rejected"
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) return "busy"
  // By name: under Jest, errors of the driver are of another realm.
  if (Predicate.hasProperty(cause, "name") && (cause.name === "RangeError" || cause.name === "TypeError"))
    return String(cause).includes("not open") ? "unavailable" : "rejected"
  return Predicate.hasProperty(cause, "message") && cause.message === "malformed JSON" ? "rejected" : "unavailable"
}

// A window that opens more than its length ahead is from before the clock was set back: it would refuse until then.
const isOver =
  "(excluded.opened_at >= b.opened_at + excluded.window_ms OR excluded.opened_at < b.opened_at - excluded.window_ms)"

const tokenRequest = `INSERT INTO buckets AS b (key, opened_at, window_ms, max_tokens, used, asked)
SELECT value ->> 'bucket', value ->> 'now', value ->> 'windowMs', value ->> 'limit',
  min(value ->> 'limit', value ->> 'count'), value ->> 'count'
FROM json_each(?) WHERE true
ON CONFLICT (key) DO UPDATE SET
  opened_at = CASE WHEN ${isOver} THEN excluded.opened_at ELSE b.opened_at END,
  window_ms = excluded.window_ms,
  max_tokens = excluded.max_tokens,
  used = CASE WHEN ${isOver} THEN excluded.used
    ELSE max(b.used, min(excluded.max_tokens, b.used + excluded.asked)) END,
  asked = CASE WHEN ${isOver} THEN excluded.asked
    ELSE b.used + excluded.asked END
RETURNING key AS bucket, opened_at AS "openedAt", asked`

// The expiry of a slot queue moves in steps of an hour, so that most reservations do not update its index.
const reserve = `INSERT INTO send_slots AS s (key, next_us, taken_us, kept_until)
SELECT value ->> 'key', (value ->> 'nowUs') + (value ->> 'takenUs'), value ->> 'takenUs', (value ->> 'keptUntil') + 3600000
FROM json_each(?) WHERE true
ON CONFLICT (key) DO UPDATE SET
  next_us = max(s.next_us + excluded.taken_us, excluded.next_us),
  taken_us = excluded.taken_us,
  kept_until = CASE
    WHEN s.kept_until < excluded.kept_until - 3600000 + max(s.next_us + excluded.taken_us - excluded.next_us, 0) / 1000
    THEN excluded.kept_until + max(s.next_us + excluded.taken_us - excluded.next_us, 0) / 1000
    ELSE s.kept_until END
RETURNING key, next_us AS "nextUs"`

const contactLists: Dialect["contactLists"] = {
  lock: null,
  facets: `SELECT workspace_id, '' AS facet, name_key, id FROM contacts
  UNION SELECT workspace_id, 'stage:' || lifecycle_stage, name_key, id FROM contacts
  UNION SELECT workspace_id, 'tag:' || value, name_key, contacts.id FROM contacts, json_each(tags)
  UNION SELECT workspace_id, 'channel:' || (value ->> 'channel'), name_key, contacts.id FROM contacts, json_each(identities)`,
  search: "SELECT workspace_id, name_key, id, search_key FROM contacts"
}

/**
 * Other programs insert jobs (docs/reference/enqueue.md#the-row), and SQLite does not check their JSON. One that is not
 * valid must not fail the claim of all jobs: it has no field that its handler needs.
 */
const payloadOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return { unreadable: text }
  }
}

/** The dialect of SQLite. */
export const dialect: Dialect = {
  name: "sqlite",
  // There is one connection, and every statement blocks the process: one short batch at a time.
  commits: { concurrency: 1, maxBatch: 64, minWaiting: 1 },
  reads: { concurrency: 1, minWaiting: 1 },
  countedLists: 1,
  parameter: () => "?",
  rows: (_, columns, size) =>
    size > 0
      ? rowsOf(columns, size)
      : `(SELECT ${columns.map(({ name }) => `value ->> '${name}' AS "${name}"`).join(", ")} FROM json_each(?)) AS v`,
  portions: portionsOf,
  combines: false,
  asJson: null,
  oneOf: ({ sql }) => `t.${sql} IN (SELECT value FROM json_each(?))`,
  contains: (column, text, bind) => `instr(${column}, ${bind(text)}) > 0`,
  byCodePoint: "",
  decode: (table, rows) => {
    const columns = columnsToDecode(table)
    if (columns.length === 0) return
    for (const row of rows) {
      for (const [name, isJson] of columns) {
        const value = row[name]
        if (isJson ? typeof value === "string" : value !== undefined) {
          if (!isJson) row[name] = value === 1
          else
            row[name] =
              table.name === "jobs" && name === "payload" ? payloadOf(value as string) : JSON.parse(value as string)
        }
      }
    }
  },
  locks: { exclusive: "", shared: "" },
  skipLocked: "",
  turn: null,
  lookUp: (rows, table, conditions) => `${rows} CROSS JOIN ${table} AS t ON ${conditions}`,
  firstOf: (rows, table, conditions, order, limit) =>
    `${rows} CROSS JOIN ${table} AS t ON t.id IN (SELECT t.id FROM ${table} AS t WHERE ${conditions} ORDER BY ${order} LIMIT ${limit})`,
  remove: (rows, table, keys) =>
    `DELETE FROM ${table} AS t WHERE (${keys.map(({ sql }) => `t.${sql}`).join(", ")}) IN (SELECT ${keys.map(({ name }) => `v."${name}"`).join(", ")} FROM ${rows})`,
  removeFirst: (table, keys, { condition, limit, order }) => {
    const key = keys.map(({ sql }) => `t.${sql}`).join(", ")
    return `DELETE FROM ${table} AS t WHERE (${key}) IN (SELECT ${key} FROM ${table} AS t WHERE ${condition} ORDER BY ${order} LIMIT ${limit})`
  },
  update: (rows, table, conditions, assigned) =>
    `UPDATE ${table} AS t SET ${assigned} FROM ${rows} WHERE ${conditions}`,
  addToCounts: (rows) => `INSERT INTO contact_counts AS c (workspace_id, facet, n)
SELECT v."workspaceId", v.facet, v.n FROM ${rows} WHERE true
ON CONFLICT (workspace_id, facet) DO UPDATE SET n = c.n + excluded.n`,
  contactLists,
  begin: () => ({ text: "BEGIN IMMEDIATE", parameters: [] }),
  transactionStatus: null,
  faultOf,
  takeTokens: (rows) => ({ text: tokenRequest, parameters: [rows], relaxed: true }),
  reserve: (rows) => ({ text: reserve, parameters: [rows], relaxed: true }),
  dueLanes,
  claimJobs: ({ lanes, ...lease }) => ({ ...claimJobs(lanes, lease), relaxed: true }),
  claimedOf: (rows) => ({ rows }),
  postponeJobs: (postponed) => ({ ...postponeJobs(postponed), relaxed: true }),
  health: "CAST(unixepoch('subsec') * 1000 AS INTEGER) AS clock",
  schemaVersion
}
