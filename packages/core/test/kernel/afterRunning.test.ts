import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Logger, LogLevel, TestClock } from "effect"
import { afterRunning, timeoutTo } from "../../src/kernel/afterRunning.js"

/** Timers that the test rings one after the other; `waits` has their durations. */
const scriptedTimers = () => {
  const waits: Array<number> = []
  let pending: (() => void) | null = null
  const setTimer = (task: () => void, ms: number) => {
    waits.push(ms)
    pending = task
    return () => {
      pending = null
    }
  }
  const ring = () => {
    const task = pending
    pending = null
    task?.()
  }
  return { ring, setTimer, waits }
}

describe("a task after a running time", () => {
  it("runs after timers of a second and the rest, so that a stop of the process counts as one of them", () => {
    const { ring, setTimer, waits } = scriptedTimers()
    let runs = 0
    afterRunning(setTimer, 2_500, () => runs++)
    for (let i = 0; i < 2; i++) ring()
    expect([runs, waits]).toEqual([0, [1_000, 1_000, 500]])
    ring()
    expect([runs, waits.length]).toEqual([1, 3])
  })
  it("does not run once it is cancelled", () => {
    const { ring, setTimer } = scriptedTimers()
    let runs = 0
    const cancel = afterRunning(setTimer, 1_500, () => runs++)
    ring()
    cancel()
    ring()
    expect(runs).toBe(0)
  })
})

describe("a timeout by running time", () => {
  it.effect("interrupts the effect and continues with another", () =>
    Effect.gen(function* () {
      const interrupted = yield* Deferred.make<void>()
      const slow = Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      const fiber = yield* Effect.fork(timeoutTo(2_500, Effect.succeed("late"))(slow))
      yield* TestClock.adjust(2_499)
      expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(fiber)).toBe("late")
      yield* Deferred.await(interrupted)
    })
  )
  it.effect("also ends in an uninterruptible region, and returns what the effect returned or failed with", () =>
    Effect.gen(function* () {
      const late = timeoutTo(1_000, Effect.dieMessage("late"))
      expect(yield* Effect.uninterruptible(late(Effect.succeed("in time")))).toBe("in time")
      expect(yield* Effect.flip(late(Effect.fail("refused")))).toBe("refused")
    })
  )
  it.effect("logs no error of the effect, which may contain a secret", () =>
    Effect.gen(function* () {
      const logged: Array<unknown> = []
      const logger = Logger.make(({ cause, message }) => void logged.push(message, cause))
      yield* Effect.fail("a secret").pipe(
        Effect.delay(1),
        timeoutTo(1_000, Effect.void),
        Effect.flip,
        Effect.zipLeft(TestClock.adjust(1), { concurrent: true }),
        Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
        Logger.withMinimumLogLevel(LogLevel.All)
      )
      expect(logged).toEqual([])
    })
  )
  it.live("reads an answer first that arrived while the process was blocked", () =>
    Effect.gen(function* () {
      const answer = Effect.async<string>((resume) => {
        setTimeout(() => setImmediate(() => resume(Effect.succeed("answer"))), 1)
        const blockedUntil = performance.now() + 30
        while (performance.now() < blockedUntil) {}
      })
      expect(yield* timeoutTo(10, Effect.succeed("late"))(answer)).toBe("answer")
    })
  )
})
