import { Effect, Layer, Queue } from "effect"
import type { Lane } from "../src/model/Job.js"
import { Wakeup } from "../src/ports/Wakeup.js"

/** A wakeup without hints; a test may replace some members. */
export const quietWakeup = (given: Partial<Wakeup> = {}): Layer.Layer<Wakeup> =>
  Layer.succeed(Wakeup, {
    notify: () => Effect.void,
    hints: Queue.unbounded<ReadonlySet<Lane>>(),
    notifyFeeds: () => Effect.void,
    grownFeeds: Queue.unbounded<ReadonlySet<string>>(),
    ...given
  })
