import { Clock, Effect, Schedule } from "effect"
import { purgedRows } from "../kernel/metrics/engineMetrics.js"
import { day, minute } from "../model/Instant.js"
import { fixedRetention, parkedReceiptRetention, type Retention } from "../model/Retention.js"
import type { ReadError, Storage } from "../ports/Storage.js"

/** Maximum number of rows of one delete, which bounds how long it blocks other statements. */
export const purgeBatch = 1_000

/** Pause after a full batch, in ms: at most 10,000 rows are deleted in a second. */
export const purgePauseMs = 100

/**
 * Deletes history past its retention, in batches with pauses (docs/reference/storage.md#retention-and-purge). Several
 * hosts may purge at once without waiting for each other. Deliveries are purged before their events.
 */
export const purgeHistory = (
  storage: Pick<Storage, "purge">,
  { attempts, deliveries, events, requestLog, runs }: Retention
): Effect.Effect<void, ReadError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const purgeOnce = (table: Parameters<Storage["purge"]>[0], keptMs: number) =>
      Effect.tap(storage.purge(table, now - keptMs, purgeBatch), (purged) => purgedRows(purged, table))
    const purge = (table: Parameters<Storage["purge"]>[0], keptMs: number) =>
      Effect.repeat(purgeOnce(table, keptMs), {
        until: (purged) => purged < purgeBatch,
        schedule: Schedule.spaced(purgePauseMs)
      })
    // Their rows contain the time of expiry.
    yield* purge("idempotency", 0)
    yield* purge("accessTokens", 0)
    // The longest window is an hour.
    yield* purge("buckets", 70 * minute)
    // A hold may move the slots of a queue beyond the time computed at the last reservation.
    yield* purge("sendSlots", day)
    yield* purge("attempts", attempts)
    yield* purge("requestLog", requestLog)
    // Unknown events are requests of vendors, and have the retention of the request log.
    yield* purge("unknownEvents", requestLog)
    yield* purge("deliveries", deliveries)
    yield* purge("events", events)
    yield* purge("providerMessages", parkedReceiptRetention)
    yield* purge("workflowRuns", runs)
    yield* purge("botSessions", runs)
    yield* purge("businessEvents", fixedRetention)
    yield* purge("notifications", fixedRetention)
  })
