import { type Lane, Wakeup } from "@parley/core"
import { Effect, Layer, Queue } from "effect"

/** Sends sets of hints to the subscribers of this process. */
const makeTopic = <Hint>() => {
  const listeners = new Set<Queue.Queue<ReadonlySet<Hint>>>()
  return {
    notify: (hints: ReadonlySet<Hint>): Effect.Effect<void> =>
      Effect.forEach(listeners, (listener) => Queue.offer(listener, hints), { discard: true }),
    hints: Effect.acquireRelease(
      Effect.tap(Queue.sliding<ReadonlySet<Hint>>(16), (queue) => Effect.sync(() => listeners.add(queue))),
      (queue) =>
        Effect.zipRight(
          Effect.sync(() => listeners.delete(queue)),
          Queue.shutdown(queue)
        )
    )
  }
}

/** Wakeup hints between the fibers of one process. `receiveFeeds` passes on hints from other processes. */
export const makeRelay = Effect.sync(() => {
  const lanes = makeTopic<Lane>()
  const feeds = makeTopic<string>()
  const wakeup: Wakeup = { ...lanes, notifyFeeds: () => Effect.void, grownFeeds: feeds.hints }
  return { wakeup, receiveFeeds: feeds.notify }
})

/** Wakeup hints of a process that is the only one on its database. */
export const make: Effect.Effect<Wakeup> = Effect.map(makeRelay, ({ wakeup }) => wakeup)

/** {@link make} as a layer. */
export const layer: Layer.Layer<Wakeup> = Layer.effect(Wakeup, make)
