import { Clock, Duration, Effect } from "effect"
import type { Instant } from "../Instant.js"
import { type QueueDepth, Storage } from "../ports/Storage.js"
import { leaseMs } from "../worker/Dispatcher.js"
import { type Family, gauge } from "./Family.js"
import { recorded } from "./recorded.js"

/** How long an answer about the queue is good for, in ms: many who ask cost the storage no more than one. */
export const queueDepthsKeptMs = 5_000

/** How long the storage may take to count the queue, in ms; beyond it, metrics go without. */
const patienceMs = 2_000

/**
 * Every metric of the engine at this moment: what this process recorded, and how much work the whole queue has, which is
 * asked of the storage here and at no other time. While the storage is away, the queue's metrics are absent.
 *
 * Nothing in them names a customer, an application or an address.
 */
export const metrics: Effect.Effect<Effect.Effect<ReadonlyArray<Family>>, never, Storage> = Effect.gen(function* () {
  const storage = yield* Storage
  const ask = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    storage.queueDepths(now, leaseMs).pipe(
      Effect.disconnect,
      Effect.timeout(Duration.millis(patienceMs)),
      Effect.map((depths) => queueFamilies(depths, now)),
      Effect.catchAll(() => Effect.succeed([]))
    )
  )
  const queue = yield* Effect.cachedWithTTL(ask, Duration.millis(queueDepthsKeptMs))
  return Effect.map(queue, (families) => [...recorded("parley_"), ...families])
})

/** Depths as gauges: jobs by lane and state, and the age of the oldest that is due, zero where none is. */
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
