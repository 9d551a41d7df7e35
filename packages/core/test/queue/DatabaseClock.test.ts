import { expect, it } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Exit, Layer, TestClock } from "effect"
import { describe } from "vitest"
import { second } from "../../src/model/Instant.js"
import { Storage, StorageUnavailable } from "../../src/ports/Storage.js"
import { DatabaseClock, measured } from "../../src/queue/DatabaseClock.js"
import { scriptedStorage } from "../scriptedStorage.js"

/**
 * `steps`: ms by which the host's clock is off. `ahead`: ms by which the database's is. `queryMs`: duration of a query.
 * `durations`: ms that the next queries last instead.
 */
interface Machines {
  steps: number
  ahead: number
  queryMs: number
  readonly durations: Array<number>
  isAway: boolean
  /** ms for which the machine is suspended during the next query, after the database read its clock. */
  suspendedMs: number
}
const machines = (given: Partial<Machines> = {}): Machines => ({
  steps: 0,
  ahead: 0,
  queryMs: 0,
  durations: [],
  isAway: false,
  suspendedMs: 0,
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
      nanos += BigInt(given.durations.shift() ?? given.queryMs) * 1_000_000n
      const clock = real.unsafeCurrentTimeMillis() + given.ahead
      // The host's clock and the database's go on, the monotonic clock of the host does not.
      given.steps += given.suspendedMs
      given.ahead += given.suspendedMs
      given.suspendedMs = 0
      return Effect.succeed({ clock })
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
  it.scoped("stays uncertain after a suspension during a measurement", () =>
    Effect.gen(function* () {
      const given = machines()
      const { isCertain, now } = yield* measuring(given)
      given.suspendedMs = 30_000
      yield* TestClock.adjust(5 * second)
      expect([now(), isCertain()]).toEqual([105 * second, false])
      yield* TestClock.adjust(5 * second)
      expect(isCertain()).toBe(true)
      expect(Math.abs(now() - 140 * second)).toBeLessThanOrEqual(1)
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
  it.scoped("measures again if the first query lasts too long to be exact", () =>
    Effect.gen(function* () {
      const long = yield* measuring(machines({ durations: [20_000, 3_999, 10] }))
      expect(long.now()).toBe(100 * second + 5)
      const exact = yield* measuring(machines({ durations: [20_000, 3_998, 10] }))
      expect(exact.now()).toBe(100 * second + 1_999)
    })
  )
  it.scoped("starts with the fifth query where all of them last long", () =>
    Effect.gen(function* () {
      const { now } = yield* measuring(machines({ durations: [6_000, 6_000, 6_000, 6_000, 8_000, 10] }))
      expect(now()).toBe(104 * second)
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
