import type { Instant, Storage, TableName } from "@parley/core"
import type { Dialect } from "./Dialect.js"
import { type Column, tableOf } from "./Tables.js"

/** Where rows of history are, what names one, what tells its age, and how a time is said there. */
interface History {
  readonly table: string
  readonly key: ReadonlyArray<Column>
  readonly age: string
  readonly bound: (before: Instant) => unknown
  /** A condition of those rows of `t` that nothing needs any more, whatever their age; null: all. */
  readonly spent: string | null
}

/**
 * What sorts before every UUIDv7 made at this moment or later, and after all before it: ids tell the age of rows that
 * are written once, so that none of them needs an index by time.
 */
export const idsFrom = (moment: Instant): string => {
  const time = Math.max(0, moment).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

const byTime = (name: TableName, age: string): History => {
  const { key, sql } = tableOf(name)
  return { table: sql, key, age, bound: (before) => before, spent: null }
}
const byId = (name: TableName, spent: string | null = null): History => {
  const { key, sql } = tableOf(name)
  return { table: sql, key, age: "id", bound: idsFrom, spent }
}

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
    spent: null
  },
  sendSlots: {
    table: "send_slots",
    key: [{ name: "key", sql: "key", kind: "text" }],
    age: "kept_until",
    bound: (before: Instant) => before,
    spent: null
  },
  // What waits is still to be sent, however long that takes: a disabled endpoint's waiting deliveries stay (decisions.md §12).
  events: byId("events", `NOT EXISTS (${waited})`),
  businessEvents: byId("businessEvents"),
  deliveries: byId("deliveries", "t.status <> 'pending'"),
  attempts: byId("attempts"),
  requestLog: byId("requestLog"),
  notifications: byId("notifications"),
  unknownEvents: byId("unknownEvents")
} satisfies { readonly [T in Parameters<Storage["purge"]>[0]]: History }

/** The names of everything that is purged. */
export const historyNames = Object.keys(histories) as ReadonlyArray<keyof typeof histories>

/**
 * The statement that deletes the oldest rows of a table, by its two parameters: how old, and how many at the most. It goes round
 * rows that somebody works on, so that two who purge neither wait for each other nor deadlock.
 */
export const purgeStatement = (
  dialect: Dialect,
  name: keyof typeof histories,
  before: Instant,
  limit: number
): { readonly text: string; readonly parameters: ReadonlyArray<unknown> } => {
  const { age, bound, key, spent, table }: History = histories[name]
  const condition = [`t.${age} < ${dialect.parameter(1)}`, ...(spent === null ? [] : [spent])].join(" AND ")
  const oldest = { condition, order: `t.${age}`, limit: dialect.parameter(2) }
  return {
    text: `${dialect.removeFirst(table, key, oldest)} RETURNING 1 AS gone`,
    parameters: [bound(before), limit]
  }
}
