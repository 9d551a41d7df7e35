import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Logger, LogLevel, TestClock } from "effect"
import { asked } from "../../src/channels/asked.js"

const ask = <A, E>(answer: () => Effect.Effect<A, E>) => asked("poll", Duration.seconds(30), answer)

describe("what a provider is asked", () => {
  it.effect("is what it answers", () =>
    Effect.gen(function* () {
      expect(yield* ask(() => Effect.succeed("Zoë"))).toBe("Zoë")
      expect(yield* Effect.flip(ask(() => Effect.fail("gone")))).toBe("gone")
    })
  )
  it.effect("is done without once it took too long", () =>
    Effect.gen(function* () {
      const asking = yield* Effect.fork(Effect.flip(ask(() => Effect.never)))
      yield* TestClock.adjust("29 seconds")
      expect(yield* Fiber.poll(asking)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust("1 seconds")
      expect(yield* Fiber.join(asking)).toMatchObject({
        _tag: "ProviderUnavailable",
        reason: "no answer within 30s"
      })
    })
  )
  for (const [how, broken] of [
    ["at once", () => Effect.dieMessage("not foreseen")],
    [
      "before it does anything",
      () => {
        throw new Error("not foreseen")
      }
    ]
  ] as const) {
    it.effect(`is done without where it throws ${how}, in no words of its own`, () =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(ask(broken))).toMatchObject({
          _tag: "ProviderUnavailable",
          reason: "the provider failed unexpectedly"
        })
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
    )
  }
})
