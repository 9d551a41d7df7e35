import { Clock, Duration, Effect } from "effect"
import { cachedFor } from "../kernel/cachedFor.js"
import { type Family, gauge } from "../kernel/metrics/Family.js"
import { recorded } from "../kernel/metrics/recorded.js"
import type { Instant } from "../model/Instant.js"
import { type DatabaseHealth, type QueueDepth, Storage } from "../ports/Storage.js"
import { leaseMs } from "../queue/HeldLease.js"

/** Cache lifetime of the queue depths, in ms, which bounds the load of concurrent scrapes on the database. */
export const queueDepthsTtlMs = 5_000

/** Timeout of the queue count, in ms. After it, the snapshot has no queue metrics. */
const timeoutMs = 2_000

/**
 * Snapshot of all metrics of the engine: those recorded in this process (by this engine, if it has `ownSeries`), and
 * the depths of the queue of all hosts, which are read from the storage on demand only. While the storage is
 * unavailable, the queue metrics are absent.
 *
 * No label contains a customer, an application or an address.
 */
export const metrics: Effect.Effect<Effect.Effect<ReadonlyArray<Family>>, never, Storage> = Effect.gen(function* () {
  const storage = yield* Storage
  const orNone = (families: Effect.Effect<ReadonlyArray<Family>, unknown>) =>
    families.pipe(
      Effect.disconnect,
      Effect.timeout(Duration.millis(timeoutMs)),
      Effect.catchAll(() => Effect.succeed([]))
    )
  const readQueueFamilies = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.zipWith(
      orNone(Effect.map(storage.queueDepths(now, leaseMs), (depths) => queueFamilies(depths, now))),
      orNone(Effect.map(storage.check, databaseFamilies)),
      (queue, database) => [...queue, ...database],
      { concurrent: true }
    )
  )
  const queue = yield* cachedFor(readQueueFamilies, Duration.millis(queueDepthsTtlMs))
  return Effect.map(queue, (families) => [...recorded("parley_"), ...families])
})

/** Gauges of the oldest open transaction in seconds and of the search index; none that the database does not report. */
export const databaseFamilies = ({ oldestTransactionMs, searchIsIndexed }: DatabaseHealth): ReadonlyArray<Family> => [
  ...(oldestTransactionMs === undefined
    ? []
    : [
        gauge(
          "parley_database_oldest_transaction_seconds",
          "Age of the oldest open transaction of the database, of any program",
          [{ labels: {}, value: oldestTransactionMs / 1_000 }]
        )
      ]),
  ...(searchIsIndexed === undefined
    ? []
    : [
        gauge("parley_database_search_indexed", "1 if an index finds contacts by parts of their text, else 0", [
          { labels: {}, value: searchIsIndexed ? 1 : 0 }
        ])
      ])
]

/** Gauges of the queue: jobs by lane and state, and the age in seconds of the oldest due job; 0 if none is due. */
export const queueFamilies = (depths: ReadonlyArray<QueueDepth>, now: Instant): ReadonlyArray<Family> => [
  gauge(
    "parley_queue_jobs",
    "Jobs in the queue of all hosts: due now, leased by a worker, or waiting for their time",
    depths.flatMap((depth) =>
      (["due", "leased", "waiting"] as const).map((state) => ({
        labels: { lane: depth.lane, state },
        value: depth[state]
      }))
    )
  ),
  gauge(
    "parley_queue_oldest_due_age_seconds",
    "For how long the oldest job that is due has been so",
    depths.map(({ lane, oldestDueAt }) => ({
      labels: { lane },
      value: oldestDueAt === null ? 0 : Math.max(0, now - oldestDueAt) / 1_000
    }))
  )
]
