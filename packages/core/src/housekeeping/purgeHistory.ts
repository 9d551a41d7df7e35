import { Clock, Effect } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import { recordPurgeOfDeliveries } from "../flows/webhooks/purgedDeliveries.js"
import type { Decider } from "../kernel/Decider.js"
import { purgedRows } from "../kernel/metrics/engineMetrics.js"
import { day, type Instant, minute } from "../model/Instant.js"
import { fixedRetention, parkedReceiptRetention, type Retention } from "../model/Retention.js"
import type { CommitError, Purged, ReadError, Storage } from "../ports/Storage.js"

/** Maximum number of rows of one delete, which bounds how long it blocks other statements. */
export const purgeBatch = 1_000

/** Pause after a full batch, in ms: at most 10,000 rows are deleted in a second. */
export const purgePauseMs = 100

type Table = Parameters<Storage["purge"]>[0]

/**
 * Deletes history past its retention, in batches with pauses (docs/reference/storage.md#retention-and-purge). A batch
 * goes on after the previous one, so that rows that are kept, such as pending deliveries, are looked at once. Several
 * hosts may purge at once without waiting for each other. A table that cannot be purged is logged, and the others are
 * purged all the same. Attempts are purged before their deliveries, and deliveries before their events, which wait for
 * the next round if that failed. How far deliveries are purged is recorded first, for hosts with another setting.
 */
export const purgeHistory = (
  storage: Pick<Storage, "purge" | "read">,
  decider: Decider,
  { attempts, deliveries, events, requestLog, runs }: Retention
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const purgeFrom = (table: Table, before: Instant, from: Purged["last"]): Effect.Effect<void, ReadError> =>
      Effect.flatMap(storage.purge(table, before, purgeBatch, from), ({ last, rows }) => {
        purgedRows(rows, table)
        return rows < purgeBatch ? Effect.void : Effect.delay(purgeFrom(table, before, last), purgePauseMs)
      })
    /** Whether all old rows of the table are gone. `first`: what precedes the purge. */
    const purge = (table: Table, keptMs: number, first: Effect.Effect<void, Refusal | CommitError> = Effect.void) =>
      Effect.zipRight(first, purgeFrom(table, now - keptMs, null)).pipe(
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
    // Deleted ones that nothing refers to. A concurrent commit may add a delivery to one: it fails when it is due.
    yield* purge("endpoints", day)
    if (!(yield* purge("attempts", attempts))) return
    if (!(yield* purge("deliveries", deliveries, recordPurgeOfDeliveries(storage, decider, now - deliveries)))) return
    yield* purge("events", events)
  })
