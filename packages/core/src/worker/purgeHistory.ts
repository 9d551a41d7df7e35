import { Clock, Effect, Schedule } from "effect"
import { day, minute } from "../Instant.js"
import { purgedRows } from "../metrics/engineMetrics.js"
import type { ReadError, Storage } from "../ports/Storage.js"
import { keptAnyway, type Retention, receiptsParked } from "./Retention.js"

/** The most rows that go at once: few enough that nobody waits for the database meanwhile. */
export const purgeBatch = 1_000

/** How long others have the database to themselves after a batch, in ms: at most 10,000 rows go in a second. */
export const purgePauseMs = 100

/**
 * Deletes what is past its retention, in batches with pauses between them. Several hosts may do so at once: none waits for
 * another. A delivery goes before its event does.
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
    // These say themselves when they expire.
    yield* purge("idempotency", 0)
    yield* purge("accessTokens", 0)
    // The longest window is an hour.
    yield* purge("buckets", 70 * minute)
    // A provider may hold a line for longer than it knew when it was last asked.
    yield* purge("sendSlots", day)
    yield* purge("attempts", attempts)
    yield* purge("requestLog", requestLog)
    // Requests of vendors, as it were.
    yield* purge("unknownEvents", requestLog)
    yield* purge("deliveries", deliveries)
    yield* purge("events", events)
    yield* purge("providerMessages", receiptsParked)
    yield* purge("workflowRuns", runs)
    yield* purge("botSessions", runs)
    yield* purge("businessEvents", keptAnyway)
    yield* purge("notifications", keptAnyway)
  })
