import { Effect } from "effect"
import { EventLoop } from "../ports/EventLoop.js"

/**
 * Continues in the next turn of the event loop, so that other requests are served between the parts of a long
 * computation. `Effect.yieldNow` yields to other fibers of the same turn only.
 */
export const nextTurn: Effect.Effect<void> = Effect.flatMap(EventLoop, ({ defer }) =>
  Effect.async<void>((resume) => Effect.sync(defer(() => resume(Effect.void))))
)
