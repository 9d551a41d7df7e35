/** Where rows of history are, what names one, and what tells its age. */
export interface History {
  readonly name: string
  readonly key: string
  readonly age: string
}

const histories = {
  idempotency: { name: "idempotency", key: "application_id, key", age: "expires_at" },
  accessTokens: { name: "access_tokens", key: "hash", age: "expires_at" },
  events: { name: "events", key: "id", age: "created_at" },
  businessEvents: { name: "business_events", key: "id", age: "created_at" },
  deliveries: { name: "deliveries", key: "id", age: "created_at" },
  attempts: { name: "attempts", key: "id", age: "started_at" },
  buckets: { name: "buckets", key: "key", age: "opened_at" }
} as const

/** What `Storage.purge` deletes of a table. */
export const historyOf = (table: keyof typeof histories): History => histories[table]
