import { Clock, Context, Effect, Either, RcMap, type Scope } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import type { Instant } from "../model/Instant.js"
import type { Changes } from "../ports/Changes.js"
import { Ids } from "../ports/Ids.js"
import { type CommitError, type CommitOutcome, Storage, StorageBusy } from "../ports/Storage.js"
import { type ActingIds, actor } from "./actor.js"
import { type Deferral, deferral } from "./deferral.js"

/** Result of a rule: the changes to commit (null: none) and the result for the caller. */
export interface Decision<A> {
  readonly changes: Changes | null
  readonly result: A
}

/** A business rule: a pure, synchronous function. Fails with a {@link Refusal}. */
export type Decide<World, A> = (world: World, now: Instant, ids: ActingIds) => Either.Either<Decision<A>, Refusal>

/** Load, decide, commit: the way in which services change state (docs/reference/commits.md#load-decide-commit). */
export interface Decider {
  /**
   * Loads, decides and commits. After a `Conflict` it loads and decides again, at most {@link maxTries} times in all;
   * from the second try on, callers of this process that lost the same keys run one after the other. After `Fenced` it
   * commits without the settle, if the changes have a claim or an expect (docs/reference/commits.md#fenced-decisions).
   * `permit` runs before each commit. Inside `deferCommit` the changes are handed to its caller instead of committed.
   *
   * Fails with the {@link Refusal} of the rule or of `permit`, with the errors of `load` and `commit`, and with
   * `StorageBusy` after the last conflict.
   */
  readonly decideAndCommit: <World, A>(
    load: Effect.Effect<World, Refusal | CommitError>,
    decide: Decide<World, A>,
    permit?: (result: A) => Effect.Effect<void, Refusal>
  ) => Effect.Effect<A, Refusal | CommitError>
}
export const Decider = Context.GenericTag<Decider>("@parley/core/Decider")

const maxTries = 8

/** Gives `world` at its first run, and loads after a conflict: for a rule whose world was read before. */
export const preloaded = <World, E>(world: World, load: Effect.Effect<World, E>): Effect.Effect<World, E> => {
  let isRead = true
  return Effect.suspend(() => {
    if (!isRead) return load
    isRead = false
    return Effect.succeed(world)
  })
}

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const locks = yield* RcMap.make({ lookup: (_key: string) => Effect.makeSemaphore(1) })

  const actingIds = (actor: string): ActingIds => ({
    next: (now) => ids.next(now),
    secret: (length) => ids.secret(length),
    actor
  })

  const behindLocks = <A, E>(keys: ReadonlyArray<string>, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    // A sorted lock order prevents deadlocks between callers that lost the same keys.
    Effect.scoped(
      [...new Set(keys)]
        .sort()
        .reduceRight<Effect.Effect<A, E, Scope.Scope>>(
          (inner, key) => Effect.flatMap(RcMap.get(locks, key), (lock) => lock.withPermits(1)(inner)),
          effect
        )
    )

  const concluded = <A>(outcome: CommitOutcome, result: A): Effect.Effect<Written<A> | Lost> =>
    Effect.succeed(outcome._tag === "Conflict" ? { lost: outcome.lost } : { result })

  const commitNow = <A>(changes: Changes, result: A): Effect.Effect<Written<A> | Lost, CommitError> =>
    Effect.flatMap(storage.commit(changes), (outcome) =>
      outcome._tag === "Fenced" && changes.claims.length + changes.expects.length > 0
        ? Effect.flatMap(storage.commit({ ...changes, settle: null }), (unsettled) => concluded(unsettled, result))
        : concluded(outcome, result)
    )

  const defer = <A>(changes: Changes, deferred: Deferral, result: A): Effect.Effect<Written<A>> =>
    Effect.suspend(() => {
      if (deferred.changes !== null) return Effect.dieMessage("a deferred operation decided a second change of state")
      deferred.changes = changes
      return Effect.succeed({ result })
    })

  const decideAndCommit: Decider["decideAndCommit"] = <World, A>(
    load: Effect.Effect<World, Refusal | CommitError>,
    decide: Decide<World, A>,
    permit?: (result: A) => Effect.Effect<void, Refusal>
  ) => {
    // Few operations, because every change of state takes this path.
    const once = Effect.flatMap(load, (world) =>
      Effect.withFiberRuntime<Written<A> | Lost, Refusal | CommitError>((fiber) => {
        const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
        const decision = decide(world, clock.unsafeCurrentTimeMillis(), actingIds(fiber.getFiberRef(actor)))
        if (Either.isLeft(decision)) return Effect.fail(decision.left)
        const { changes, result } = decision.right
        if (changes === null) return Effect.succeed({ result })
        const deferred = fiber.getFiberRef(deferral)
        const commit = deferred === null ? commitNow(changes, result) : defer(changes, deferred, result)
        return permit === undefined ? commit : Effect.zipRight(permit(result), commit)
      })
    )
    const attempt = (tries: number, lost: ReadonlyArray<string>): Effect.Effect<A, Refusal | CommitError> =>
      Effect.flatMap(lost.length === 0 ? once : behindLocks(lost, once), (outcome) => {
        if (!("lost" in outcome)) return Effect.succeed(outcome.result)
        return tries < maxTries
          ? attempt(tries + 1, outcome.lost)
          : Effect.fail(
              new StorageBusy({
                reason: `${tries} conflicts, the last on ${outcome.lost.join(", ")}`,
                conflicts: tries
              })
            )
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
