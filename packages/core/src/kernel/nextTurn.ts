import { Effect } from "effect"

/**
 * Continues in the next turn of the event loop, so that other requests are served between the parts of a long
 * computation. `Effect.yieldNow` yields to other fibers of the same turn only.
 */
export const nextTurn: Effect.Effect<void> = Effect.async<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})
