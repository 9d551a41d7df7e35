import type { Instant, Storage, TableName } from "@parley/core"
import type { Dialect } from "./Dialect.js"
import * as Query from "./Query.js"
import { type Column, tableOf } from "./Tables.js"

/** Where rows of history are, what names one, what tells its age, and how a time is said there. */
interface History {
  readonly table: string
  readonly key: ReadonlyArray<Column>
  readonly age: string
  readonly bound: (before: Instant) => unknown
  /** A condition of those rows of `t` that nothing needs any more, whatever their age; null: all. */
  readonly spent: string | null
  /** Where a row says when it was over: it goes so long after that, and not before it is; null: its age alone counts. */
  readonly over: string | null
}

/**
 * What sorts before every UUIDv7 made at this moment or later, and after all before it: ids tell the age of rows that
 * are written once, so that none of them needs an index by time.
 */
export const idsFrom = (moment: Instant): string => {
  const time = Math.max(0, moment).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

const byTime = (name: TableName, age: string, spent: string | null = null): History => {
  const { key, sql } = tableOf(name)
  return { table: sql, key, age, bound: (before) => before, spent, over: null }
}
const byId = (name: TableName, spent: string | null = null): History => {
  const { key, sql } = tableOf(name)
  return { table: sql, key, age: "id", bound: idsFrom, spent, over: null }
}
const byEnd = (name: "workflowRuns" | "botSessions"): History => ({ ...byId(name), over: "ended_at" })

// The OFFSET keeps the planner from anything but a look at the index for one event after the other.
const waited = "SELECT 1 FROM deliveries AS d WHERE d.event_id = t.id AND d.status = 'pending' LIMIT 1 OFFSET 0"

const histories = {
  idempotency: byTime("idempotency", "expires_at"),
  accessTokens: byTime("accessTokens", "expires_at"),
  buckets: {
    table: "buckets",
    key: [{ name: "key", sql: "key", kind: "text" }],
    age: "opened_at",
    bound: (before: Instant) => before,
    spent: null,
    over: null
  },
  sendSlots: {
    table: "send_slots",
    key: [{ name: "key", sql: "key", kind: "text" }],
    age: "kept_until",
    bound: (before: Instant) => before,
    spent: null,
    over: null
  },
  // What waits is still to be sent, however long that takes: a disabled endpoint's waiting deliveries stay (decisions.md §12).
  events: byId("events", `NOT EXISTS (${waited})`),
  businessEvents: byId("businessEvents"),
  deliveries: byId("deliveries", "t.status <> 'pending'"),
  attempts: byId("attempts"),
  requestLog: byId("requestLog"),
  notifications: byId("notifications"),
  unknownEvents: byId("unknownEvents"),
  // Parked receipts that never met their message; what has one says that it was taken in, and stays.
  providerMessages: byTime("providerMessages", "created_at", "t.message_id IS NULL"),
  workflowRuns: byEnd("workflowRuns"),
  botSessions: byEnd("botSessions")
} satisfies { readonly [T in Parameters<Storage["purge"]>[0]]: History }

/** The names of everything that is purged. */
export const historyNames = Object.keys(histories) as ReadonlyArray<keyof typeof histories>

/**
 * The statement that deletes the oldest rows of a table, with its parameters: how old, since when over, and how many at the
 * most. It goes round rows that somebody works on, so that two who purge neither wait for each other nor deadlock.
 */
export const purgeStatement = (
  dialect: Dialect,
  name: keyof typeof histories,
  before: Instant,
  limit: number
): { readonly text: string; readonly parameters: ReadonlyArray<unknown> } => {
  const { age, bound, key, over, spent, table }: History = histories[name]
  const { bind, parameters } = Query.make(dialect)
  const conditions = [
    `t.${age} < ${bind(bound(before))}`,
    ...(spent === null ? [] : [spent]),
    ...(over === null ? [] : [`t.${over} < ${bind(before)}`])
  ]
  const oldest = { condition: conditions.join(" AND "), order: `t.${age}`, limit: bind(limit) }
  return { text: `${dialect.removeFirst(table, key, oldest)} RETURNING 1 AS gone`, parameters }
}
