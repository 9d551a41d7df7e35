import type { Instant, Purged, PurgePosition, Storage, TableName } from "@parley/core"
import { idsFrom } from "@parley/sql"
import type { MemoryDatabase } from "./MemoryDatabase.js"
import type { Row } from "./storableRow.js"

type PurgedTable = Parameters<Storage["purge"]>[0]

/** How rows of a table age: by their id or by a column with a time, and which rows are not needed any more. */
interface History {
  readonly age: string
  /** Rows of this age and above are not deleted. Default: by the time of the id, or by the column. */
  readonly bound?: string
  readonly isSpent: (row: Row, before: Instant, database: MemoryDatabase) => boolean
}

const always = () => true
const byId: History = { age: "id", isSpent: always }
const byEnd: History = {
  age: "id",
  isSpent: ({ endedAt }, before) => endedAt !== null && (endedAt as Instant) < before
}

const histories: { readonly [T in PurgedTable & TableName]: History } = {
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
    age: "id",
    bound: "ffffffff-ffff-ffff-ffff-ffffffffffff",
    isSpent: ({ createdAt, id, status }, before, database) =>
      (createdAt as Instant) < before &&
      status === "deleted" &&
      database.table("deliveries").findBy({ endpointId: id }).length === 0
  },
  attempts: byId,
  requestLog: byId,
  notifications: byId,
  unknownEvents: byId,
  providerMessages: { age: "createdAt", isSpent: ({ messageId }) => messageId === null },
  workflowRuns: byEnd,
  botSessions: byEnd
}

/** Which rows are deleted: older than `before`, at most `limit`, and none before the position `from`. */
interface Bounds {
  readonly before: Instant
  readonly limit: number
  readonly from: PurgePosition | null
}

/** Deletes the oldest rows of history (docs/reference/storage.md#retention-and-purge). */
export const purge = (database: MemoryDatabase, name: PurgedTable, bounds: Bounds): Purged => {
  const ages = deleteOldest(database, name, bounds)
  if (ages.length > 0) database.flush()
  return { rows: ages.length, last: ages.at(-1) ?? null }
}

/** Returns the ages of the deleted rows, in order. */
const deleteOldest = (
  database: MemoryDatabase,
  name: PurgedTable,
  { before, from, limit }: Bounds
): ReadonlyArray<PurgePosition> => {
  const deleteFirst = <V>(
    values: Iterable<V>,
    ageOf: (value: V) => PurgePosition,
    isOld: (value: V) => boolean,
    remove: (value: V) => void
  ): ReadonlyArray<PurgePosition> => {
    const old = [...values]
      .filter((value) => (from === null || ageOf(value) >= from) && isOld(value))
      .sort((one, other) => (ageOf(one) < ageOf(other) ? -1 : ageOf(one) > ageOf(other) ? 1 : 0))
      .slice(0, limit)
    for (const value of old) remove(value)
    return old.map(ageOf)
  }
  const deleteEntries = <V>(map: Map<string, V>, timeOf: (value: V) => Instant) =>
    deleteFirst(
      map,
      ([, value]) => timeOf(value),
      ([, value]) => timeOf(value) < before,
      ([key]) => map.delete(key)
    )
  if (name === "buckets") return deleteEntries(database.buckets, ({ openedAt }) => openedAt)
  if (name === "sendSlots") return deleteEntries(database.slotQueues, ({ keptUntil }) => keptUntil)
  const { age, isSpent, bound = age === "id" ? idsFrom(before) : before } = histories[name]
  const table = database.table(name)
  const ageOf = (row: Row) => row[age] as PurgePosition
  return deleteFirst(
    table.all(),
    ageOf,
    (row) => ageOf(row) < bound && isSpent(row, before, database),
    (row) => table.delete(table.keyOf(row))
  )
}
