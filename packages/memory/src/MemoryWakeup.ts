import { type Lane, Wakeup } from "@parley/core"
import { Effect, Layer, Queue, type Scope } from "effect"
import type { HintListeners, MemoryDatabase } from "./MemoryDatabase.js"

/** The number of hints that a subscriber keeps; further ones replace the oldest. */
const subscriberCapacity = 16

const subscribe = <Hint>(
  listeners: Set<Queue.Enqueue<ReadonlySet<Hint>>>
): Effect.Effect<Queue.Dequeue<ReadonlySet<Hint>>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tap(Queue.sliding<ReadonlySet<Hint>>(subscriberCapacity), (queue) =>
      Effect.sync(() => listeners.add(queue))
    ),
    (queue) =>
      Effect.zipRight(
        Effect.sync(() => listeners.delete(queue)),
        Queue.shutdown(queue)
      )
  )

/**
 * The hints of one process. Hints of lanes go to the subscribers of all processes on the database, hints of
 * feeds to those of the other processes. Hints of one call arrive at once and in the order of the subscriptions.
 */
export const memoryWakeup = (database: MemoryDatabase): Wakeup => {
  const own: HintListeners = { lanes: new Set(), feeds: new Set() }
  database.processes.add(own)
  return {
    notify: (lanes: ReadonlySet<Lane>) =>
      Effect.suspend(() =>
        offer(
          lanes,
          [...database.processes].flatMap((process) => [...process.lanes])
        )
      ),
    hints: subscribe(own.lanes),
    notifyFeeds: (names) =>
      Effect.suspend(() => {
        const others = [...database.processes].filter((process) => process !== own)
        return offer(
          names,
          others.flatMap(({ feeds }) => [...feeds])
        )
      }),
    grownFeeds: subscribe(own.feeds)
  }
}

const offer = <Hint>(hints: ReadonlySet<Hint>, listeners: ReadonlyArray<Queue.Enqueue<ReadonlySet<Hint>>>) =>
  Effect.forEach(listeners, (listener) => Queue.offer(listener, hints), { discard: true })

/** {@link memoryWakeup} as a layer. */
export const layer = (database: MemoryDatabase): Layer.Layer<Wakeup> => Layer.sync(Wakeup, () => memoryWakeup(database))
