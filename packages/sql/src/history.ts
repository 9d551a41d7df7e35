import type { Instant, Storage } from "@parley/core"

/** Where rows of history are, what names one, what tells its age, and how a time is said there. */
export interface History {
  readonly name: string
  readonly key: string
  readonly age: string
  readonly bound: (before: Instant) => unknown
}

/**
 * What sorts before every UUIDv7 made at this moment or later, and after all before it: ids tell the age of rows that
 * are written once, so that none of them needs an index by time.
 */
export const idsFrom = (moment: Instant): string => {
  const time = Math.max(0, moment).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

const byTime = (name: string, key: string, age: string): History => ({ name, key, age, bound: (before) => before })
const byId = (name: string): History => ({ name, key: "id", age: "id", bound: idsFrom })

const histories = {
  idempotency: byTime("idempotency", "application_id, key", "expires_at"),
  accessTokens: byTime("access_tokens", "hash", "expires_at"),
  buckets: byTime("buckets", "key", "opened_at"),
  events: byId("events"),
  businessEvents: byId("business_events"),
  deliveries: byId("deliveries"),
  attempts: byId("attempts"),
  requestLog: byId("request_log"),
  notifications: byId("notifications")
} satisfies { readonly [T in Parameters<Storage["purge"]>[0]]: History }

/** What `Storage.purge` deletes of a table. */
export const historyOf = (table: keyof typeof histories): History => histories[table]
