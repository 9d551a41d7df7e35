import { expect, it } from "@effect/vitest"
import { Clock, Effect, Fiber, TestClock } from "effect"
import { describe } from "vitest"
import { refuse } from "../../src/errors/Refusal.js"
import { retryWhileUnavailable } from "../../src/kernel/retryWhileUnavailable.js"
import { minute } from "../../src/model/Instant.js"
import { ChangesRejected, StorageBusy, StorageUnavailable } from "../../src/ports/Storage.js"

const away = new StorageUnavailable({ cause: "cut off" })

describe("a write of an outcome", () => {
  it.effect("is retried after 50 ms, with doubled delays of at most five seconds", () =>
    Effect.gen(function* () {
      const tries: Array<number> = []
      const write = Effect.flatMap(Clock.currentTimeMillis, (now) => {
        tries.push(now)
        return tries.length < 12 ? Effect.fail(away) : Effect.succeed("written")
      })
      const fiber = yield* Effect.fork(retryWhileUnavailable(write))
      yield* TestClock.adjust(minute)
      expect(yield* Fiber.join(fiber)).toBe("written")
      const delays = tries.slice(1).map((at, n) => at - (tries[n] ?? 0))
      expect(delays).toEqual([50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000, 5_000])
    })
  )
  it.effect("fails with the storage's error after 200 retries", () =>
    Effect.gen(function* () {
      let tries = 0
      const busy = new StorageBusy({ reason: "8 conflicts" })
      const fiber = yield* Effect.fork(
        retryWhileUnavailable(
          Effect.zipRight(
            Effect.sync(() => ++tries),
            Effect.fail(busy)
          )
        )
      )
      yield* TestClock.adjust(20 * minute)
      expect(yield* Effect.flip(Fiber.join(fiber))).toBe(busy)
      expect(tries).toBe(201)
    })
  )
  it.effect.each([refuse("not_found"), new ChangesRejected({ cause: "a duplicate" })])(
    "is not retried after %o",
    (error) =>
      Effect.gen(function* () {
        let tries = 0
        const write = Effect.zipRight(
          Effect.sync(() => ++tries),
          Effect.fail(error)
        )
        expect(yield* Effect.flip(retryWhileUnavailable<never, typeof error>(write))).toBe(error)
        expect(tries).toBe(1)
      })
  )
})
