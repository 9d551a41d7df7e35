import { type Changes, Storage } from "@parley/core"
import { Context, Effect, Layer } from "effect"

/** Receives every commit once it is durable. */
export type OnCommitted = (changes: Changes) => void

/** A storage that reports its commits. */
export const observeCommits = <Others, E, R>(
  storage: Layer.Layer<Storage | Others, E, R>,
  onCommitted: OnCommitted
): Layer.Layer<Storage | Others, E, R> =>
  Layer.map(storage, (context) => {
    const given = Context.unsafeGet(context, Storage)
    return Context.add(context, Storage, {
      ...given,
      commit: (changes) =>
        Effect.tap(given.commit(changes), (outcome) =>
          Effect.sync(() => {
            if (outcome._tag === "Committed") onCommitted(changes)
          })
        )
    })
  })
