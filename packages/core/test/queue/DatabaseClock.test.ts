import { expect, it } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Layer, TestClock } from "effect"
import { describe } from "vitest"
import { second } from "../../src/model/Instant.js"
import { Storage, StorageUnavailable } from "../../src/ports/Storage.js"
import { DatabaseClock, measured } from "../../src/queue/DatabaseClock.js"
import { scriptedStorage } from "../scriptedStorage.js"

/**
 * A measured clock. The database's clock is the test's. `steps` are added to the host's clock, `queryMs` is the duration
 * of the query.
 */
const measuring = (given: { steps: number; queryMs: number; isAway: boolean }) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(100 * second)
    const real = yield* Effect.clock
    const nanos = { late: 0n }
    const host: Clock.Clock = {
      ...Clock.make(),
      unsafeCurrentTimeMillis: () => real.unsafeCurrentTimeMillis() + given.steps,
      unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos() + nanos.late,
      currentTimeMillis: Effect.sync(() => real.unsafeCurrentTimeMillis() + given.steps),
      currentTimeNanos: Effect.sync(() => real.unsafeCurrentTimeNanos() + nanos.late),
      sleep: (duration) => real.sleep(Duration.decode(duration))
    }
    const { storage } = yield* scriptedStorage({})
    const check = Effect.suspend(() => {
      if (given.isAway) return new StorageUnavailable({ cause: "cut off" })
      nanos.late += BigInt(given.queryMs) * 1_000_000n
      return Effect.succeed({ clock: real.unsafeCurrentTimeMillis() })
    })
    const ports = Layer.succeed(
      Storage,
      new Proxy(storage, { get: (all, name) => (name === "check" ? check : Reflect.get(all, name)) })
    )
    const context = yield* Effect.withClock(Layer.build(Layer.provide(measured, ports)), host)
    return Context.get(context, DatabaseClock).skewMs
  })

const host = (given: { steps?: number; queryMs?: number; isAway?: boolean } = {}) => ({
  steps: 0,
  queryMs: 0,
  isAway: false,
  ...given
})

describe("the measured clock of the database", () => {
  it.scoped("is known after the first query", () =>
    Effect.gen(function* () {
      expect((yield* measuring(host()))()).toBe(0)
      expect((yield* measuring(host({ steps: 300_000 })))()).toBe(-300_000)
    })
  )
  it.scoped("is unknown until the database answers", () =>
    Effect.gen(function* () {
      const given = host({ isAway: true })
      const skewMs = yield* measuring(given)
      expect(skewMs()).toBeNull()
      given.isAway = false
      yield* TestClock.adjust(5 * second)
      expect(skewMs()).toBe(0)
    })
  )
  it.scoped("shows a step of the host's clock at once, also while the database is away", () =>
    Effect.gen(function* () {
      const given = host()
      const skewMs = yield* measuring(given)
      given.isAway = true
      given.steps = 300_000
      expect(skewMs()).toBe(-300_000)
      yield* TestClock.adjust(60 * second)
      expect(skewMs()).toBe(-300_000)
      given.steps = 0
      expect(skewMs()).toBe(0)
    })
  )
  it.scoped("assumes that the database answered in the middle of the query", () =>
    Effect.gen(function* () {
      expect((yield* measuring(host({ queryMs: 400 })))()).toBe(200)
    })
  )
  it.scoped("is not replaced by the measurement of a slow query", () =>
    Effect.gen(function* () {
      const given = host()
      const skewMs = yield* measuring(given)
      given.queryMs = 1_001
      yield* TestClock.adjust(5 * second)
      // The monotonic clock has run on during the query, the others have not.
      expect(skewMs()).toBe(1_001)
    })
  )
})
