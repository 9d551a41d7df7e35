import { Effect, FiberRef, GlobalValue } from "effect"
import type { Changes } from "../ports/Changes.js"

/** The change of state that an operation decided and that its caller commits. */
export interface Deferral {
  /** Null: the operation decided none. */
  changes: Changes | null
}

/**
 * The deferral of this fiber; null: decisions are committed at once. Forked fibers have none: what they commit is not
 * part of the operation.
 */
export const deferral: FiberRef.FiberRef<Deferral | null> = GlobalValue.globalValue("@parley/core/deferral", () =>
  // A joined fiber would else pass its null on to the operation.
  FiberRef.unsafeMake<Deferral | null>(null, { fork: () => null, join: (parent) => parent })
)

/**
 * Runs an operation whose one decision is not committed but returned, so that the caller can add to its changes and
 * commit both (docs/reference/commits.md#deferred-commits).
 */
export const deferCommit = <A, E>(
  operation: Effect.Effect<A, E>
): Effect.Effect<{ readonly result: A; readonly deferred: Readonly<Deferral> }, E> =>
  Effect.suspend(() => {
    const deferred: Deferral = { changes: null }
    return Effect.map(Effect.locally(operation, deferral, deferred), (result) => ({ result, deferred }))
  })

/**
 * Runs an operation whose decisions are committed at once, also inside {@link deferCommit}: it makes several commits.
 */
export const commitAtOnce = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.locally(operation, deferral, null)
