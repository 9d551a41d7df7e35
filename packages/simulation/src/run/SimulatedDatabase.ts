import type { Storage, Wakeup } from "@parley/core"
import type { Effect, Scope } from "effect"

/** A database of one history. */
export interface SimulatedDatabase {
  /** The storage and the hints of one process. `disturb`: what happens to a hint. */
  readonly connect: (disturb: (hint: Effect.Effect<void>) => Effect.Effect<void>) => {
    readonly storage: Storage
    readonly wakeup: Wakeup
  }
  /** Forgets relaxed writes, as a power cut does. */
  readonly powerCut: () => void
}

/** Opens a database with this clock (ms). It runs in a process of its own, which does not crash. */
export type OpenDatabase = (clock: () => number) => Effect.Effect<SimulatedDatabase, unknown, Scope.Scope>
