import { expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { cachedFor } from "../../src/kernel/cachedFor.js"

it.effect("a cached result is read again when it is older than its lifetime, and after the clock was set back", () =>
  Effect.gen(function* () {
    let reads = 0
    const read = yield* cachedFor(
      Effect.sync(() => ++reads),
      "1 second"
    )
    yield* TestClock.setTime(3_600_000)
    expect([yield* read, yield* read]).toEqual([1, 1])
    yield* TestClock.adjust("1001 millis")
    expect(yield* read).toBe(2)
    yield* TestClock.setTime(0)
    expect([yield* read, yield* read]).toEqual([3, 3])
    yield* TestClock.adjust("1001 millis")
    expect(yield* read).toBe(4)
  })
)
