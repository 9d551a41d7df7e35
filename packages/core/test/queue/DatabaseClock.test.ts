import { expect, it } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Exit, Layer, TestClock } from "effect"
import { describe } from "vitest"
import { second } from "../../src/model/Instant.js"
import { Storage, StorageUnavailable } from "../../src/ports/Storage.js"
import { DatabaseClock, measured } from "../../src/queue/DatabaseClock.js"
import { scriptedStorage } from "../scriptedStorage.js"

/** `steps`: ms by which the host's clock is off. `ahead`: ms by which the database's is. `queryMs`: duration of a query. */
interface Machines {
  steps: number
  ahead: number
  queryMs: number
  isAway: boolean
}
const machines = (given: Partial<Machines> = {}): Machines => ({
  steps: 0,
  ahead: 0,
  queryMs: 0,
  isAway: false,
  ...given
})

/** Builds the measured clock at 100 s of the test's clock. Queries last by the monotonic clock of the host only. */
const measuring = (given: Machines) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(100 * second)
    const real = yield* Effect.clock
    let nanos = 0n
    const host: Clock.Clock = {
      ...Clock.make(),
      unsafeCurrentTimeMillis: () => real.unsafeCurrentTimeMillis() + given.steps,
      unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos() + nanos,
      sleep: (duration) => real.sleep(Duration.decode(duration))
    }
    const { storage } = yield* scriptedStorage({})
    const check = Effect.suspend(() => {
      if (given.isAway) return new StorageUnavailable({ cause: "cut off" })
      nanos += BigInt(given.queryMs) * 1_000_000n
      return Effect.succeed({ clock: real.unsafeCurrentTimeMillis() + given.ahead })
    })
    const ports = Layer.succeed(
      Storage,
      new Proxy(storage, { get: (all, name) => (name === "check" ? check : Reflect.get(all, name)) })
    )
    const built = Layer.build(Layer.provideMerge(Layer.effect(UsedClock, Effect.clock), Layer.provide(measured, ports)))
    const context = yield* Effect.withClock(built, host)
    return {
      clock: Context.get(context, UsedClock),
      now: () => Context.get(context, UsedClock).unsafeCurrentTimeMillis(),
      isCertain: Context.get(context, DatabaseClock).isCertain
    }
  })
class UsedClock extends Context.Tag("test/UsedClock")<UsedClock, Clock.Clock>() {}

describe("the measured clock of the database", () => {
  it.scoped("is the clock of everything built with it", () =>
    Effect.gen(function* () {
      for (const ahead of [300_000, -300_000]) {
        const { clock, now } = yield* measuring(machines({ ahead }))
        expect(now()).toBe(100 * second + ahead)
        expect(yield* clock.currentTimeMillis).toBe(100 * second + ahead)
        yield* TestClock.adjust(3 * second)
        expect(now()).toBe(103 * second + ahead)
      }
    })
  )
  it.scoped("ignores how far the host's clock is off", () =>
    Effect.gen(function* () {
      const { isCertain, now } = yield* measuring(machines({ steps: 300_000 }))
      expect([now(), isCertain()]).toEqual([100 * second, true])
    })
  )
  it.scoped("starts with a query that was quick enough to be exact, if one is", () =>
    Effect.gen(function* () {
      const nowAfter = (slow: number) => {
        let queries = 0
        const given = { ...machines(), queryMs: 0 }
        Object.defineProperty(given, "queryMs", { get: () => (queries++ < slow ? 40 * second : 4 * second - 2) })
        return Effect.map(measuring(given), ({ now }) => now())
      }
      expect(yield* nowAfter(0)).toBe(102 * second - 1)
      expect(yield* nowAfter(1)).toBe(102 * second - 1)
      expect(yield* nowAfter(4)).toBe(102 * second - 1)
      expect(yield* nowAfter(5)).toBe(120 * second)
    })
  )
  it.scoped("is uncertain after a step of the host's clock, until the next measurement", () =>
    Effect.gen(function* () {
      const given = machines()
      const { isCertain, now } = yield* measuring(given)
      for (const step of [2_000, -2_000]) {
        given.steps = step
        expect(isCertain()).toBe(true)
      }
      for (const step of [2_001, -2_002]) {
        given.steps = step
        expect(isCertain()).toBe(false)
        yield* TestClock.adjust(5 * second)
        expect(isCertain()).toBe(true)
      }
      expect(now()).toBe(110 * second)
    })
  )
  it.scoped("stays uncertain while the database is away", () =>
    Effect.gen(function* () {
      const given = machines()
      const { isCertain, now } = yield* measuring(given)
      Object.assign(given, { isAway: true, steps: 300_000 })
      yield* TestClock.adjust(60 * second)
      expect([now(), isCertain()]).toEqual([160 * second, false])
      given.isAway = false
      yield* TestClock.adjust(5 * second)
      expect([now(), isCertain()]).toEqual([165 * second, true])
    })
  )
  it.scoped("starts with the middle of the first query", () =>
    Effect.gen(function* () {
      const { now } = yield* measuring(machines({ queryMs: 400 }))
      // The test's clock stood still during the query, the host's monotonic clock went on by 400 ms.
      expect(now()).toBe(100 * second + 200)
    })
  )
  it.scoped("changes only as far as a measurement proves it wrong", () =>
    Effect.gen(function* () {
      const given = machines()
      const { now } = yield* measuring(given)
      const passed = Effect.as(TestClock.adjust(5 * second), undefined)
      given.ahead = 300
      given.queryMs = 400
      yield* passed
      // The query took 400 ms: the database may have read its clock before 300 of them.
      expect(now()).toBe(105 * second + 400)
      given.queryMs = 0
      yield* passed
      // The database's clock is exact to 1 ms.
      expect(now()).toBe(110 * second + 301)
    })
  )
  it.scoped("fails to start if the database does not answer", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(measuring(machines({ isAway: true })))
      expect(exit).toEqual(Exit.fail(new StorageUnavailable({ cause: "cut off" })))
    })
  )
})
