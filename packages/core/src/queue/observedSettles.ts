import { Effect, FiberRef, Layer } from "effect"
import type { Settle } from "../ports/Changes.js"
import { type CommitOutcome, Storage } from "../ports/Storage.js"

/** Called before each commit of the fiber that has a settle. Returns what is called with the commit's outcome. */
export type ObserveSettle = (settle: Settle) => (outcome: CommitOutcome) => Effect.Effect<void>

const ignore: ObserveSettle = () => () => Effect.void

/** The observer of a running job's settles. The dispatcher sets it, since handlers do not report a fenced settle. */
export const observeSettle: FiberRef.FiberRef<ObserveSettle> = FiberRef.unsafeMake(ignore)

/** The storage, with commits that report to {@link observeSettle}. */
export const layer: Layer.Layer<Storage, never, Storage> = Layer.effect(
  Storage,
  Effect.map(Storage, (storage) => ({
    ...storage,
    commit: (changes) => {
      const { settle } = changes
      if (settle === null) return storage.commit(changes)
      return FiberRef.getWith(observeSettle, (observe) => {
        const report = observe(settle)
        return Effect.tap(storage.commit(changes), report)
      })
    }
  }))
)
