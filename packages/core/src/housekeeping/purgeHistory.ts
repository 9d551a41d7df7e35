import { Clock, Effect, Schedule } from "effect"
import { purgedRows } from "../kernel/metrics/engineMetrics.js"
import { day, minute } from "../model/Instant.js"
import { fixedRetention, parkedReceiptRetention, type Retention } from "../model/Retention.js"
import type { Storage } from "../ports/Storage.js"

/** Maximum number of rows of one delete, which bounds how long it blocks other statements. */
export const purgeBatch = 1_000

/** Pause after a full batch, in ms: at most 10,000 rows are deleted in a second. */
export const purgePauseMs = 100

/**
 * Deletes history past its retention, in batches with pauses (docs/reference/storage.md#retention-and-purge). Several
 * hosts may purge at once without waiting for each other. A table that cannot be purged is logged, and the others are
 * purged all the same. Attempts are purged before their deliveries, and deliveries before their events, which wait for
 * the next round if that failed.
 */
export const purgeHistory = (
  storage: Pick<Storage, "purge">,
  { attempts, deliveries, events, requestLog, runs }: Retention
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const purgeOnce = (table: Parameters<Storage["purge"]>[0], keptMs: number) =>
      Effect.tap(storage.purge(table, now - keptMs, purgeBatch), (purged) => purgedRows(purged, table))
    /** Whether all old rows of the table are gone. */
    const purge = (table: Parameters<Storage["purge"]>[0], keptMs: number): Effect.Effect<boolean> =>
      Effect.repeat(purgeOnce(table, keptMs), {
        until: (purged) => purged < purgeBatch,
        schedule: Schedule.spaced(purgePauseMs)
      }).pipe(
        Effect.as(true),
        Effect.catchAll((error) =>
          Effect.as(Effect.logWarning(`old rows of ${table} could not be purged: ${error.message}`), false)
        )
      )
    // Their rows contain the time of expiry.
    yield* purge("idempotency", 0)
    yield* purge("accessTokens", 0)
    // The longest window is an hour.
    yield* purge("buckets", 70 * minute)
    // A hold may move the slots of a queue beyond the time computed at the last reservation.
    yield* purge("sendSlots", day)
    // Unknown events are requests of vendors, and have the retention of the request log.
    yield* purge("requestLog", requestLog)
    yield* purge("unknownEvents", requestLog)
    yield* purge("providerMessages", parkedReceiptRetention)
    yield* purge("workflowRuns", runs)
    yield* purge("botSessions", runs)
    yield* purge("businessEvents", fixedRetention)
    yield* purge("notifications", fixedRetention)
    // Deleted ones that nothing refers to. A commit that read an endpoint before it was deleted has ended long ago.
    yield* purge("endpoints", day)
    if (!(yield* purge("attempts", attempts))) return
    if (!(yield* purge("deliveries", deliveries))) return
    yield* purge("events", events)
  })
