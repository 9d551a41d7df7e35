import { Context, type Effect, type Queue, type Scope } from "effect"
import type { Lane } from "../model/Job.js"

/**
 * Hints that lanes have due jobs (docs/reference/queue.md#wakeup-hints). A process has the hint of its own commit when
 * the commit answers; those of other processes may come late. A lost hint delays work by at most one poll interval and
 * never loses it.
 */
export interface Wakeup {
  /** Sends a hint for these lanes to all workers, in this process and others. */
  readonly notify: (lanes: ReadonlySet<Lane>) => Effect.Effect<void>
  /** Subscribes to hints for the lifetime of the scope. Hints may be merged for a slow reader. */
  readonly hints: Effect.Effect<Queue.Dequeue<ReadonlySet<Lane>>, never, Scope.Scope>
  /**
   * Sends a hint to other processes that the feeds with these names grew. A lost hint delays messages until the next
   * read of the feed (docs/reference/webchat.md#feed). Names have no white space and at most 16 characters.
   */
  readonly notifyFeeds: (names: ReadonlySet<string>) => Effect.Effect<void>
  /** Subscribes to other processes' hints of feeds for the lifetime of the scope. */
  readonly grownFeeds: Effect.Effect<Queue.Dequeue<ReadonlySet<string>>, never, Scope.Scope>
}
export const Wakeup = Context.GenericTag<Wakeup>("@parley/core/Wakeup")
