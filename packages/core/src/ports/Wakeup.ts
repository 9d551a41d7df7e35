import { Context, type Effect, type Queue, type Scope } from "effect"
import type { Lane } from "../model/Job.js"

/**
 * Hints that lanes have due jobs (docs/reference/queue.md#wakeup-hints). A lost hint delays work by at most one poll
 * interval and never loses it.
 */
export interface Wakeup {
  /** Sends a hint for these lanes to all workers, in this process and others. */
  readonly notify: (lanes: ReadonlySet<Lane>) => Effect.Effect<void>
  /** Subscribes to hints for the lifetime of the scope. Hints may be merged for a slow reader. */
  readonly hints: Effect.Effect<Queue.Dequeue<ReadonlySet<Lane>>, never, Scope.Scope>
}
export const Wakeup = Context.GenericTag<Wakeup>("@parley/core/Wakeup")
