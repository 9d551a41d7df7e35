import type { Instant, Purged, PurgePosition, Storage, TableName } from "@parley/core"
import type { Statement } from "./Database.js"
import type { Dialect } from "./Dialect.js"
import * as Query from "./Query.js"
import { type Column, type Relation, tableOf } from "./Tables.js"

/** A table of history: its key, the indexed column that gives a row's age, and the value of that column for a time. */
interface History {
  readonly table: string
  readonly key: ReadonlyArray<Column>
  readonly age: string
  readonly bound: (before: Instant) => unknown
  /** A condition: the row of `t` is not needed any more, whatever its age. Null: no further condition. */
  readonly spent: string | null
  /**
   * A further column with a time, such as the one at which the row's process ended. A row is deleted only if it has
   * that time, and the retention period passed since then. Null: the age alone decides.
   */
  readonly over: string | null
}

/**
 * The smallest UUIDv7 of this moment: it sorts after all earlier ids. Rows that are written once are selected by id, so
 * that they need no index by time.
 */
export const idsFrom = (moment: Instant): string => {
  const time = Math.max(0, moment).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

const byTime = ({ key, sql }: Pick<Relation, "key" | "sql">, age: string, spent: string | null = null): History => ({
  table: sql,
  key,
  age,
  bound: (before) => before,
  spent,
  over: null
})
const byId = (name: TableName, spent: string | null = null): History => ({
  ...byTime(tableOf(name), "id", spent),
  bound: idsFrom
})
const byEnd = (name: "workflowRuns" | "botSessions"): History => ({ ...byId(name), over: "ended_at" })

/** No id is larger. Ids of subscriptions' endpoints contain no time. */
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

const delivered = "SELECT 1 FROM deliveries AS d WHERE d.endpoint_id = t.id LIMIT 1 OFFSET 0"

// The OFFSET forces the planner to look up the index for each event.
const waited = "SELECT 1 FROM deliveries AS d WHERE d.event_id = t.id AND d.status = 'pending' LIMIT 1 OFFSET 0"

/** The key of tables that are not part of the model. */
const key: ReadonlyArray<Column> = [{ name: "key", sql: "key", kind: "text" }]

const histories = {
  idempotency: byTime(tableOf("idempotency"), "expires_at"),
  accessTokens: byTime(tableOf("accessTokens"), "expires_at"),
  buckets: byTime({ sql: "buckets", key }, "opened_at"),
  sendSlots: byTime({ sql: "send_slots", key }, "kept_until"),
  // Pending deliveries are still to be sent, however long that takes: those of a disabled endpoint stay
  // (docs/reference/webhooks.md#while-an-endpoint-is-disabled).
  events: byId("events", `NOT EXISTS (${waited})`),
  businessEvents: byId("businessEvents"),
  deliveries: byId("deliveries", "t.status <> 'pending'"),
  // All of them are looked at each time: there are few.
  endpoints: {
    ...byId("endpoints", `t.status = 'deleted' AND NOT EXISTS (${delivered})`),
    bound: () => lastId,
    over: "created_at"
  },
  attempts: byId("attempts"),
  requestLog: byId("requestLog"),
  notifications: byId("notifications"),
  unknownEvents: byId("unknownEvents"),
  // Parked receipts whose message was never found. Rows with a message stay: they deduplicate inbound messages.
  providerMessages: byTime(tableOf("providerMessages"), "created_at", "t.message_id IS NULL"),
  workflowRuns: byEnd("workflowRuns"),
  botSessions: byEnd("botSessions")
} satisfies { readonly [T in Parameters<Storage["purge"]>[0]]: History }

/** The names of all tables that are purged. */
export const historyNames = Object.keys(histories) as ReadonlyArray<keyof typeof histories>

/**
 * The statement, with its parameters, that deletes the oldest rows of a table: rows older than `before`, at most
 * `limit`, and none before the position `from`. It returns the position of each row. It skips locked rows, so that
 * concurrent purges neither wait for each other nor deadlock.
 */
export const purgeStatement = (
  dialect: Dialect,
  name: keyof typeof histories,
  before: Instant,
  limit: number,
  from: PurgePosition | null
): Statement => {
  const { age, bound, key, over, spent, table }: History = histories[name]
  const { bind, parameters } = Query.make(dialect)
  const conditions = [
    `t.${age} < ${bind(bound(before))}`,
    // Rows of the same time may be left, also where that of the last one is the position.
    ...(from === null ? [] : [`t.${age} >= ${bind(from)}`]),
    ...(spent === null ? [] : [spent]),
    ...(over === null ? [] : [`t.${over} < ${bind(before)}`])
  ]
  const oldest = { condition: conditions.join(" AND "), order: `t.${age}`, limit: bind(limit) }
  return { text: `${dialect.removeFirst(table, key, oldest)} RETURNING ${age} AS position`, parameters }
}

/** The result of {@link purgeStatement}, whose rows come in any order. */
export const purgedOf = (rows: ReadonlyArray<{ readonly position: PurgePosition }>): Purged => ({
  rows: rows.length,
  last: rows.reduce<PurgePosition | null>(
    (last, { position }) => (last === null || position > last ? position : last),
    null
  )
})
