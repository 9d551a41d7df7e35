import { Effect, Exit, Runtime } from "effect"

/**
 * Starts all effects in the order given and waits for all. Fails with the first failure. A pipelining driver sends
 * their statements at once, and the database executes them in order.
 */
export const runTogether = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>): Effect.Effect<ReadonlyArray<A>, E> =>
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

/** Runs the effects one after the other. Fails with the first failure. */
export const runInSequence = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>): Effect.Effect<ReadonlyArray<A>, E> =>
  Effect.all(effects)
