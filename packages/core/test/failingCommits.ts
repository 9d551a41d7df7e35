import { Context, Effect, Layer } from "effect"
import { Storage, StorageUnavailable } from "../src/ports/Storage.js"
import type { Wakeup } from "../src/ports/Wakeup.js"

/** How a commit fails whose storage is out of reach. */
const unavailable: Effect.Effect<never, StorageUnavailable> = new StorageUnavailable({ cause: "cut off" })

/** How one fails, as it were, in whose midst the process ends. */
export const processEnds: Effect.Effect<never> = Effect.dieMessage("the process ended")

/** A storage whose commits fail as they are told, before or after they are written. */
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
  /** The commits of these numbers fail, counted from now. */
  const failAt = (places: ReadonlyMap<number, "before" | "after">) => {
    count = 0
    fails = () => places.get(count++) ?? null
  }
  /** How many commits there were since {@link failAt}. */
  const commits = () => count
  return { over, failAt, commits }
}
