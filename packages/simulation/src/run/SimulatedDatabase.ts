import type { Storage, Wakeup } from "@parley/core"
import type { Effect, Scope } from "effect"

/** A database of one history. */
export interface SimulatedDatabase {
  /** The storage and the hints of one process. `passes`: whether a hint gets through. */
  readonly connect: (passes: () => boolean) => { readonly storage: Storage; readonly wakeup: Wakeup }
  /** Forgets relaxed writes, as a power cut does. */
  readonly powerCut: () => void
}

/** Opens a database with this clock (ms). It runs in a process of its own, which does not crash. */
export type OpenDatabase = (clock: () => number) => Effect.Effect<SimulatedDatabase, unknown, Scope.Scope>
