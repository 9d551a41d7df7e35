import { Context, Deferred, Effect, Layer } from "effect"
import type { Changes } from "../src/ports/Changes.js"
import { Storage } from "../src/ports/Storage.js"
import type { Wakeup } from "../src/ports/Wakeup.js"

type Hold = (changes: Changes) => Effect.Effect<void>
const noHold: Hold = () => Effect.void

/** Wraps a storage so that tests can delay commits between decision and write, or their outcomes after it. */
export const heldCommits = () => {
  const holds = { write: noHold, outcome: noHold }

  /** The wrapped storage. */
  const over = <E>(storage: Layer.Layer<Storage | Wakeup, E>): Layer.Layer<Storage | Wakeup, E> =>
    Layer.map(storage, (context) => {
      const inner = Context.get(context, Storage)
      const commit: Storage["commit"] = (changes) =>
        Effect.suspend(() => holds.write(changes)).pipe(
          Effect.zipRight(Effect.suspend(() => inner.commit(changes))),
          Effect.zipLeft(Effect.suspend(() => holds.outcome(changes)))
        )
      return Context.add(context, Storage, { ...inner, commit })
    })

  /**
   * Runs `work` until `count` of its commits that match `isMeant` wait, before their write or with their outcome, runs
   * `meanwhile`, then releases them.
   */
  const during = <A, E, R, E2, R2>(
    work: Effect.Effect<A, E, R>,
    isMeant: (changes: Changes) => boolean,
    count: number,
    meanwhile: Effect.Effect<unknown, E2, R2>,
    before: keyof typeof holds = "write"
  ): Effect.Effect<A, E | E2, R | R2> =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const released = yield* Deferred.make<void>()
      let left = count
      holds[before] = (changes) => {
        if (!isMeant(changes) || left === 0) return Effect.void
        left -= 1
        const last = left === 0 ? Deferred.succeed(arrived, undefined) : Effect.void
        return Effect.zipRight(last, Deferred.await(released))
      }
      const release = Deferred.await(arrived).pipe(
        Effect.zipRight(meanwhile),
        Effect.ensuring(Deferred.succeed(released, undefined))
      )
      const [done] = yield* Effect.all([work, release], { concurrency: "unbounded" })
      return done
    })

  return { over, during }
}

/** Whether the changes insert a message. */
export const writesMessage = (changes: Changes): boolean => changes.inserts.some(({ table }) => table === "messages")
