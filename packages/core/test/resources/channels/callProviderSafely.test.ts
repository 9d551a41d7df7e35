import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Logger, LogLevel, TestClock } from "effect"
import { callProviderSafely } from "../../../src/resources/channels/callProviderSafely.js"

const callProvider = <A, E>(call: () => Effect.Effect<A, E>) => callProviderSafely("profileName", call)

describe("a call to provider code", () => {
  it.effect("returns the result or the error of the provider", () =>
    Effect.gen(function* () {
      expect(yield* callProvider(() => Effect.succeed("Zoë"))).toBe("Zoë")
      expect(yield* Effect.flip(callProvider(() => Effect.fail("gone")))).toBe("gone")
    })
  )
  it.effect("fails as unavailable after the timeout", () =>
    Effect.gen(function* () {
      const calling = yield* Effect.fork(Effect.flip(callProvider(() => Effect.never)))
      yield* TestClock.adjust("29 seconds")
      expect(yield* Fiber.poll(calling)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust("1 seconds")
      expect(yield* Fiber.join(calling)).toMatchObject({
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
    it.effect(`fails as unavailable if the provider throws ${how}, without its message`, () =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(callProvider(broken))).toMatchObject({
          _tag: "ProviderUnavailable",
          reason: "the provider failed unexpectedly"
        })
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
    )
  }
})
