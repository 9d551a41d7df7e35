import { type Lane, Wakeup } from "@parley/core"
import { Effect, Layer, Queue } from "effect"

/** Wakeup hints between the fibers of one process. */
export const make: Effect.Effect<Wakeup> = Effect.sync(() => {
  const listeners = new Set<Queue.Queue<ReadonlySet<Lane>>>()
  return {
    notify: (lanes) => Effect.forEach(listeners, (listener) => Queue.offer(listener, lanes), { discard: true }),
    hints: Effect.acquireRelease(
      Effect.tap(Queue.sliding<ReadonlySet<Lane>>(16), (queue) => Effect.sync(() => listeners.add(queue))),
      (queue) =>
        Effect.zipRight(
          Effect.sync(() => listeners.delete(queue)),
          Queue.shutdown(queue)
        )
    )
  }
})

/** {@link make} as a layer, for a host that is the only process on its database. */
export const layer: Layer.Layer<Wakeup> = Layer.effect(Wakeup, make)
