import { Clock, Context, Effect, Either, FiberRef, Layer, RcMap, type Scope } from "effect"
import { actor, signed } from "./access/actor.js"
import type { Refusal } from "./errors/Refusal.js"
import type { Instant } from "./Instant.js"
import type { Changes } from "./ports/Changes.js"
import { Ids } from "./ports/Ids.js"
import { type CommitError, type CommitOutcome, type ReadError, Storage, StorageBusy } from "./ports/Storage.js"

/** What a rule decided: what to write (null: nothing), and what to tell. */
export interface Decision<A> {
  readonly changes: Changes | null
  readonly result: A
}

/** A rule of the specification as a value: pure and synchronous. */
export type Decide<World, A> = (world: World, now: Instant, ids: Ids) => Either.Either<Decision<A>, Refusal>

/** The one way in which state changes: load, decide, commit (architecture.md). */
export interface Decider {
  /**
   * Loads, decides and commits; where others came first, again with what they left, at most {@link mostTries} times. From
   * the second on, callers of this process that fight over one key take turns. A job whose lease is gone is not settled,
   * but what was observed is recorded. `permit` is asked about a decision before it is written.
   */
  readonly decideAndCommit: <World, A>(
    load: Effect.Effect<World, ReadError>,
    decide: Decide<World, A>,
    permit?: (result: A) => Effect.Effect<void, Refusal>
  ) => Effect.Effect<A, Refusal | CommitError>
}
export const Decider = Context.GenericTag<Decider>("@parley/core/Decider")

export const mostTries = 8

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const locks = yield* RcMap.make({ lookup: (_key: string) => Effect.makeSemaphore(1) })

  const behindLocks = <A, E>(keys: ReadonlyArray<string>, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    // Sorted, so that two callers who lost the same keys never wait for each other.
    Effect.scoped(
      [...new Set(keys)]
        .sort()
        .reduceRight<Effect.Effect<A, E, Scope.Scope>>(
          (inner, key) => Effect.flatMap(RcMap.get(locks, key), (lock) => lock.withPermits(1)(inner)),
          effect
        )
    )

  const commit = (changes: Changes): Effect.Effect<CommitOutcome, CommitError> =>
    Effect.flatMap(storage.commit(changes), (outcome) =>
      outcome._tag === "Fenced" && changes.claims.length + changes.expects.length > 0
        ? storage.commit({ ...changes, settle: null })
        : Effect.succeed(outcome)
    )

  const decideAndCommit: Decider["decideAndCommit"] = <World, A>(
    load: Effect.Effect<World, ReadError>,
    decide: Decide<World, A>,
    permit: (result: A) => Effect.Effect<void, Refusal> = () => Effect.void
  ) => {
    const once = Effect.flatMap(load, (world) =>
      Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<Written<A> | Lost, Refusal | CommitError> => {
        const decision = decide(world, now, ids)
        if (Either.isLeft(decision)) return Effect.fail(decision.left)
        const { changes, result } = decision.right
        if (changes === null) return Effect.succeed({ result })
        const write = Effect.flatMap(FiberRef.get(actor), (actor) => commit(signed(changes, actor)))
        return Effect.map(Effect.zipRight(permit(result), write), (outcome) =>
          outcome._tag === "Conflict" ? { lost: outcome.lost } : { result }
        )
      })
    )
    const attempt = (tries: number, lost: ReadonlyArray<string>): Effect.Effect<A, Refusal | CommitError> =>
      Effect.flatMap(lost.length === 0 ? once : behindLocks(lost, once), (outcome) => {
        if (!("lost" in outcome)) return Effect.succeed(outcome.result)
        return tries < mostTries
          ? attempt(tries + 1, outcome.lost)
          : Effect.fail(new StorageBusy({ reason: `lost ${outcome.lost.join(", ")} to others ${tries} times` }))
      })
    return attempt(1, [])
  }
  return Decider.of({ decideAndCommit })
})

interface Written<A> {
  readonly result: A
}

interface Lost {
  readonly lost: ReadonlyArray<string>
}

export const layer: Layer.Layer<Decider, never, Storage | Ids> = Layer.scoped(Decider, make)
