import type { Instant, Storage, TableName } from "@parley/core"
import { idsFrom } from "@parley/sql"
import type { MemoryDatabase } from "./MemoryDatabase.js"
import type { Row } from "./storableRow.js"

type Purged = Parameters<Storage["purge"]>[0]

/** How rows of a table age: by the time of their id or by a column, and which rows are not needed any more. */
interface History {
  readonly age: string
  readonly isSpent: (row: Row, before: Instant, database: MemoryDatabase) => boolean
}

const always = () => true
const byId: History = { age: "id", isSpent: always }
const byEnd: History = {
  age: "id",
  isSpent: ({ endedAt }, before) => endedAt !== null && (endedAt as Instant) < before
}

const histories: { readonly [T in Purged & TableName]: History } = {
  idempotency: { age: "expiresAt", isSpent: always },
  accessTokens: { age: "expiresAt", isSpent: always },
  events: {
    age: "id",
    isSpent: ({ id }, _, database) =>
      database.table("deliveries").findBy({ eventId: id, status: "pending" }).length === 0
  },
  businessEvents: byId,
  deliveries: { age: "id", isSpent: ({ status }) => status !== "pending" },
  // Ids of subscriptions' endpoints contain no time.
  endpoints: {
    age: "createdAt",
    isSpent: ({ id, status }, _, database) =>
      status === "deleted" && database.table("deliveries").findBy({ endpointId: id }).length === 0
  },
  attempts: byId,
  requestLog: byId,
  notifications: byId,
  unknownEvents: byId,
  providerMessages: { age: "createdAt", isSpent: ({ messageId }) => messageId === null },
  workflowRuns: byEnd,
  botSessions: byEnd
}

/** Deletes the oldest rows of history (docs/reference/storage.md#retention-and-purge). Returns their number. */
export const purge = (database: MemoryDatabase, name: Purged, before: Instant, limit: number): number => {
  const deleted = deleteOldest(database, name, before, limit)
  if (deleted > 0) database.flush()
  return deleted
}

const deleteOldest = (database: MemoryDatabase, name: Purged, before: Instant, limit: number): number => {
  if (name === "buckets") return deleteEntries(database.buckets, ({ openedAt }) => openedAt, before, limit)
  if (name === "sendSlots") return deleteEntries(database.slotQueues, ({ keptUntil }) => keptUntil, before, limit)
  const { age, isSpent } = histories[name]
  const table = database.table(name)
  const bound = age === "id" ? idsFrom(before) : before
  const ageOf = (row: Row) => row[age] as string | number
  const old = [...table.all()]
    .filter((row) => ageOf(row) < bound && isSpent(row, before, database))
    .sort((one, other) => (ageOf(one) < ageOf(other) ? -1 : ageOf(one) > ageOf(other) ? 1 : 0))
    .slice(0, limit)
  for (const row of old) table.delete(table.keyOf(row))
  return old.length
}

const deleteEntries = <V>(map: Map<string, V>, ageOf: (value: V) => Instant, before: Instant, limit: number) => {
  const old = [...map]
    .filter(([, value]) => ageOf(value) < before)
    .sort(([, one], [, other]) => ageOf(one) - ageOf(other))
    .slice(0, limit)
  for (const [key] of old) map.delete(key)
  return old.length
}
