import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, TestClock } from "effect"
import { makeBodyBudget, uncounted } from "../../src/inbound/BodyBudget.js"

const MiB = 1_048_576

/** Waits until every fiber is suspended. */
const settled = Effect.repeatN(Effect.yieldNow(), 100)

/** A budget of 64 MiB, and the bytes held in it. */
const budgeted = () => {
  const budget = makeBodyBudget(64 * MiB)
  let held = 0
  let most = 0
  /** A body that is held until `go`. */
  const hold = (bytes: number) =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const gone = yield* Deferred.make<void>()
      const use = Effect.acquireUseRelease(
        Effect.sync(() => {
          held += bytes
          most = Math.max(most, held)
        }),
        () => Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(gone)),
        () =>
          Effect.sync(() => {
            held -= bytes
          })
      )
      const fiber = yield* Effect.fork(budget.within(bytes, use))
      yield* settled
      return {
        begun: Effect.zipRight(settled, Deferred.isDone(begun)),
        go: Effect.zipRight(Deferred.succeed(gone, undefined), Fiber.join(fiber)),
        fiber
      }
    })
  return { hold, most: () => most, held: () => held }
}

describe("bodies held at once", () => {
  it.effect("fit into the budget, and the others wait", () =>
    Effect.gen(function* () {
      const { hold, most } = budgeted()
      const bodies = yield* Effect.forEach(Array.from({ length: 40 }), () => hold(30 * MiB))
      const begun = yield* Effect.forEach(bodies, (body) => body.begun)
      expect(begun.filter((is) => is)).toHaveLength(2)
      yield* Effect.forEach(bodies, (body) => body.go)
      expect(most()).toBe(60 * MiB)
    })
  )
  it.effect("are refused after waiting for the budget", () =>
    Effect.gen(function* () {
      const { hold } = budgeted()
      const first = yield* hold(60 * MiB)
      const late = yield* hold(30 * MiB)
      yield* TestClock.adjust("5 seconds")
      expect(yield* Effect.flip(Fiber.join(late.fiber))).toMatchObject({ code: "service_unavailable" })
      yield* first.go
      expect(yield* (yield* hold(30 * MiB)).begun).toBe(true)
    })
  )
  it.effect("are admitted in the order of arrival, whatever their size", () =>
    Effect.gen(function* () {
      const { hold } = budgeted()
      const first = yield* hold(40 * MiB)
      const large = yield* hold(30 * MiB)
      const small = yield* hold(MiB)
      expect([yield* large.begun, yield* small.begun]).toEqual([false, false])
      yield* first.go
      expect([yield* large.begun, yield* small.begun]).toEqual([true, true])
    })
  )
  it.effect("may exceed the whole budget, alone", () =>
    Effect.gen(function* () {
      const { hold } = budgeted()
      const first = yield* hold(MiB)
      const large = yield* hold(100 * MiB)
      expect(yield* large.begun).toBe(false)
      yield* first.go
      expect(yield* large.begun).toBe(true)
    })
  )
  it.effect("do not count if small", () =>
    Effect.gen(function* () {
      const { hold } = budgeted()
      yield* hold(100 * MiB)
      expect(yield* (yield* hold(uncounted)).begun).toBe(true)
      expect(yield* (yield* hold(uncounted + 1)).begun).toBe(false)
    })
  )
  it.effect("release their budget, however they end", () =>
    Effect.gen(function* () {
      const { hold, held } = budgeted()
      for (let n = 0; n < 5; n++) {
        const first = yield* hold(64 * MiB)
        const waiting = yield* hold(64 * MiB)
        yield* Fiber.interrupt(waiting.fiber)
        yield* Fiber.interrupt(first.fiber)
      }
      expect(held()).toBe(0)
      const last = yield* hold(64 * MiB)
      expect(yield* last.begun).toBe(true)
      yield* last.go
      const { within } = makeBodyBudget(MiB)
      for (let n = 0; n < 3; n++) {
        expect(Exit.isFailure(yield* Effect.exit(within(MiB, Effect.fail("no"))))).toBe(true)
      }
      expect(yield* within(MiB, Effect.succeed(1))).toBe(1)
    })
  )
})
