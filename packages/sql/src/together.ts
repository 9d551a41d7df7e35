import { Effect, Exit, Runtime } from "effect"

/**
 * Starts all in the order given and waits for all; fails as the first of them that failed. A driver that pipelines sends
 * their statements at once, and the database carries them out one after the other.
 */
export const together = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>): Effect.Effect<ReadonlyArray<A>, E> =>
  effects.length < 2
    ? Effect.all(effects)
    : Effect.flatMap(Effect.runtime<never>(), (runtime) =>
        Effect.async<ReadonlyArray<A>, E>((resume) => {
          const run = Runtime.runCallback(runtime)
          const exits: Array<Exit.Exit<A, E>> = []
          let left = effects.length
          effects.forEach((effect, i) => {
            run(Effect.uninterruptible(effect), {
              onExit: (exit) => {
                exits[i] = exit
                left--
                if (left > 0) return
                const failed = exits.find(Exit.isFailure)
                if (failed !== undefined) return resume(Effect.failCause(failed.cause))
                resume(Effect.succeed(exits.map((one) => (one as Exit.Success<A, E>).value)))
              }
            })
          })
        })
      )

/** Carries out one after the other; fails as the first that fails. */
export const inTurn = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>): Effect.Effect<ReadonlyArray<A>, E> =>
  Effect.all(effects)
