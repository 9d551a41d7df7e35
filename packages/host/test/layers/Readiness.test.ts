import { describe, expect, it } from "@effect/vitest"
import { EventLoop, Storage, StorageBusy, StorageUnavailable } from "@parley/core"
import { SchemaMismatch } from "@parley/sql"
import { Clock, Effect, Fiber, TestClock } from "effect"
import { readiness } from "../../src/layers/Readiness.js"

const token = { granted: true, limit: 1, remaining: 0, openedAt: 0, resetAt: 0 }
const withCheck = (check: Storage["check"], takeToken: Storage["takeToken"] = () => Effect.succeed(token)) => {
  const { check: _check, takeToken: _takeToken, ...rest } = {} as Storage
  return Effect.gen(function* () {
    const clock = yield* Effect.clock
    const loop = { ...(yield* EventLoop), now: () => clock.unsafeCurrentTimeMillis() }
    return yield* readiness.pipe(
      Effect.provideService(Storage, { ...rest, check, takeToken }),
      Effect.provideService(EventLoop, loop)
    )
  })
}
const agreeing = Effect.map(Clock.currentTimeMillis, (clock) => ({ clock }))

describe("a host", () => {
  it.effect("is ready if the database is reachable and its clock agrees", () =>
    withCheck(Effect.map(Clock.currentTimeMillis, (now) => ({ clock: now + 2_000 })))
  )

  it.effect("is not ready if the database is unreachable, and hides its address", () =>
    Effect.gen(function* () {
      const { reason } = yield* Effect.flip(withCheck(new StorageUnavailable({ cause: new Error("10.0.0.5 refused") })))
      expect(reason).toBe("the database cannot be reached")
    })
  )

  it.effect("is not ready if the database answers and refuses writes", () =>
    Effect.gen(function* () {
      const readOnly = () => new StorageUnavailable({ cause: new Error("read-only transaction") })
      const { reason } = yield* Effect.flip(withCheck(agreeing, readOnly))
      expect(reason).toContain("refuses writes")
    })
  )

  it.effect("stays ready while writes queue", () => withCheck(agreeing, () => new StorageBusy({ reason: "full" })))

  it.effect("is not ready with another schema version", () =>
    Effect.gen(function* () {
      const cause = new SchemaMismatch({ found: 1, wanted: 2 })
      const { reason } = yield* Effect.flip(withCheck(new StorageUnavailable({ cause })))
      expect(reason).toBe(cause.message)
    })
  )

  it.effect("is not ready if the clocks differ by more than two seconds, either way", () =>
    Effect.gen(function* () {
      for (const skew of [2_001, -2_001]) {
        const check = Effect.map(Clock.currentTimeMillis, (now) => ({ clock: now + skew }))
        const { reason } = yield* Effect.flip(withCheck(check))
        expect(reason).toContain("2001 ms apart")
      }
    })
  )

  it.effect("does not take a slow response for a wrong clock", () =>
    Effect.gen(function* () {
      const check = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.delay(Effect.succeed({ clock: now }), 4_000)
      )
      const fiber = yield* Effect.fork(withCheck(check))
      yield* TestClock.adjust(4_000)
      yield* Fiber.join(fiber)
    })
  )

  it.effect("is not ready if the database does not respond", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.flip(withCheck(Effect.never)))
      yield* TestClock.adjust(5_000)
      expect((yield* Fiber.join(fiber)).reason).toBe("the database did not answer within 5 s")
    })
  )
})
