import { Context, Effect, Layer } from "effect"
import { Storage, StorageUnavailable } from "../src/ports/Storage.js"
import type { Wakeup } from "../src/ports/Wakeup.js"

/** The error of a commit while the storage is unreachable. */
const unavailable: Effect.Effect<never, StorageUnavailable> = new StorageUnavailable({ cause: "cut off" })

/** The defect of a commit during which the process ends. */
export const processEnds: Effect.Effect<never> = Effect.dieMessage("the process ended")

/** Wraps a storage so that selected commits fail, before or after they are written. */
export const failingCommits = (failure: Effect.Effect<never, StorageUnavailable> = unavailable) => {
  let fails: () => "before" | "after" | null = () => null
  let count = 0
  const over = <E>(storage: Layer.Layer<Storage | Wakeup, E>): Layer.Layer<Storage | Wakeup, E> =>
    Layer.map(storage, (context) => {
      const inner = Context.get(context, Storage)
      const commit: Storage["commit"] = (changes) =>
        Effect.suspend(() => {
          const when = fails()
          if (when === "before") return failure
          return when === "after" ? Effect.zipRight(inner.commit(changes), failure) : inner.commit(changes)
        })
      return Context.add(context, Storage, { ...inner, commit })
    })
  /** Makes the commits with these indexes fail, counted from now, starting at 0. */
  const failAt = (places: ReadonlyMap<number, "before" | "after">) => {
    count = 0
    fails = () => places.get(count++) ?? null
  }
  /** Number of commits since {@link failAt}. */
  const commits = () => count
  return { over, failAt, commits }
}
