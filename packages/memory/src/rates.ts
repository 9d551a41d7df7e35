import type { Instant, RateToken, RateTokenRequest, Reservation } from "@parley/core"
import type { MemoryDatabase } from "./MemoryDatabase.js"

/** Writes a value of a map that a power failure may undo. */
const putRelaxed = <V>(database: MemoryDatabase, map: Map<string, V>, key: string, value: V) => {
  const before = map.get(key)
  database.relaxed(() => {
    if (before === undefined) map.delete(key)
    else map.set(key, before)
  })
  map.set(key, value)
}

/** Takes a rate token (docs/reference/storage.md#rate-tokens). */
export const takeToken = (database: MemoryDatabase, { bucket, limit, now, windowMs }: RateTokenRequest): RateToken => {
  const stored = database.buckets.get(bucket)
  // A window that opens more than its length ahead is from before the clock was set back.
  const isOpen = stored !== undefined && now < stored.openedAt + windowMs && now >= stored.openedAt - windowMs
  const { openedAt, used } = isOpen ? stored : { openedAt: now, used: 0 }
  const granted = used < limit
  const taken = granted ? used + 1 : used
  putRelaxed(database, database.buckets, bucket, { openedAt, used: taken })
  return { granted, limit, remaining: Math.max(0, limit - taken), openedAt, resetAt: openedAt + windowMs }
}

/** Refunds a token to the window that opened at this time. */
export const refundToken = (database: MemoryDatabase, bucket: string, openedAt: Instant) => {
  const stored = database.buckets.get(bucket)
  if (stored === undefined || stored.openedAt !== openedAt || stored.used === 0) return
  database.buckets.set(bucket, { openedAt, used: stored.used - 1 })
  database.flush()
}

const hour = 3_600_000

/** Reserves the next slot (docs/reference/sends.md#slot-reservation). */
export const reserveSlot = (
  database: MemoryDatabase,
  { behind, burst, key, messages, now, per }: Reservation
): Instant => {
  const share = Math.ceil((per * 1_000) / messages)
  const stored = database.slotQueues.get(key)
  const turn = Math.max(stored?.nextUs ?? 0, now * 1_000)
  // The time at which the queue is empty without further reservations.
  const emptyAt = now + Math.ceil(share / 1_000) + behind + Math.trunc((turn - now * 1_000) / 1_000)
  const keptUntil = stored === undefined || stored.keptUntil < emptyAt ? emptyAt + hour : stored.keptUntil
  putRelaxed(database, database.slotQueues, key, { nextUs: turn + share, keptUntil })
  return Math.max(now, Math.ceil((turn - (burst - 1) * share) / 1_000))
}
