import { Context, Effect, Layer } from "effect"
import { Storage } from "../../src/ports/Storage.js"
import type { Wakeup } from "../../src/ports/Wakeup.js"

/** Ends the process, as it were, at one of the commits that follow: before it is written, or after. */
export const crashingCommits = () => {
  let left = Number.POSITIVE_INFINITY
  let written = false

  /** The storage, at whose commits processes end. */
  const over = <E>(storage: Layer.Layer<Storage | Wakeup, E>): Layer.Layer<Storage | Wakeup, E> =>
    Layer.map(storage, (context) => {
      const inner = Context.get(context, Storage)
      const commit: Storage["commit"] = (changes) =>
        Effect.suspend(() => {
          if (left-- !== 0) return inner.commit(changes)
          const dies = Effect.dieMessage("the process ended")
          return written ? Effect.zipRight(inner.commit(changes), dies) : dies
        })
      return Context.add(context, Storage, { ...inner, commit })
    })

  /** The commit after as many as `commits` is the last one that its process sees. */
  const crashAfter = (commits: number, when: "before" | "after"): void => {
    left = commits
    written = when === "after"
  }

  const crashNever = (): void => {
    left = Number.POSITIVE_INFINITY
  }

  return { over, crashAfter, crashNever }
}
