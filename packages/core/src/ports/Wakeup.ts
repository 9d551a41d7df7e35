import { Context, type Effect, type Queue, type Scope } from "effect"
import type { Lane } from "../worker/Job.js"

/** A hint that work is due. Losing one costs latency, never work. */
export interface Wakeup {
  /** Tells whoever listens, in this process or another, that these lanes have work. */
  readonly notify: (lanes: ReadonlySet<Lane>) => Effect.Effect<void>
  /** The hints from now on; a slow reader may find several merged into one. */
  readonly hints: Effect.Effect<Queue.Dequeue<ReadonlySet<Lane>>, never, Scope.Scope>
}
export const Wakeup = Context.GenericTag<Wakeup>("@parley/core/Wakeup")
