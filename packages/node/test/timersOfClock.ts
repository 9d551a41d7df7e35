import { EventLoop } from "@parley/core"
import { Effect, Fiber, Runtime } from "effect"

/** Runs an effect with an event loop whose timers go by the clock of this fiber, such as a `TestClock`. */
export const timersOfClock = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const loop = yield* EventLoop
    const fork = Runtime.runFork(yield* Effect.runtime<never>())
    const setTimer: typeof loop.setTimer = (task, ms) => {
      const fiber = fork(Effect.delay(Effect.sync(task), ms))
      return () => fork(Fiber.interruptFork(fiber))
    }
    return yield* Effect.provideService(effect, EventLoop, { ...loop, setTimer })
  })
