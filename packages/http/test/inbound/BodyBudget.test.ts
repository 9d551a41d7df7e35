import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, TestClock } from "effect"
import { makeBodyBudget, type Sender, smallBody, smallRoom } from "../../src/inbound/BodyBudget.js"

const MiB = 1_048_576

/** Waits until every fiber is suspended. */
const settled = Effect.repeatN(Effect.yieldNow(), 100)

/** A budget of 64 MiB. */
const budgeted = () => {
  const budget = makeBodyBudget(64 * MiB)
  let senders = 0
  /** A body that arrives by `receive` until `end`, and is then used until `release`. */
  const begin = (sender: Partial<Sender> = {}, announced: number | null = null) =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const released = yield* Deferred.make<void>()
      let receive = (_received: number, _kept: number) => {}
      const fiber = yield* Effect.fork(
        budget.within(
          { connection: `connection-${++senders}`, address: `address-${senders}`, ...sender },
          announced,
          (onBytes = () => {}) => {
            receive = onBytes
            return Deferred.await(ended)
          },
          () => Deferred.await(released)
        )
      )
      yield* settled
      let size = 0
      return {
        fiber,
        receive: (bytes: number) =>
          Effect.suspend(() => {
            size += bytes
            receive(size, size)
            return settled
          }),
        end: Effect.zipRight(Deferred.succeed(ended, undefined), settled),
        release: Effect.zipRight(Deferred.succeed(released, undefined), Fiber.join(fiber)),
        /** The error code of its refusal; null while it runs. */
        refusal: Effect.gen(function* () {
          yield* settled
          const exit = yield* Fiber.poll(fiber)
          if (exit._tag === "None") return null
          const error = yield* Effect.flip(exit.value)
          return "code" in error ? error.code : error._tag
        })
      }
    })
  return { begin }
}

describe("bodies that arrive", () => {
  it.effect("count by the bytes that arrived, and none waits", () =>
    Effect.gen(function* () {
      const { begin } = budgeted()
      const silent = yield* Effect.forEach(Array.from({ length: 100 }), () => begin())
      const large = yield* begin()
      yield* large.receive(60 * MiB)
      yield* large.end
      yield* large.release
      expect(yield* Effect.forEach(silent, (body) => body.refusal)).toEqual(silent.map(() => null))
    })
  )

  it.effect("push out the slowest one when the budget is full", () =>
    Effect.gen(function* () {
      const { begin } = budgeted()
      const stalled = yield* begin()
      yield* stalled.receive(15 * MiB)
      yield* TestClock.adjust("1 second")
      const others = yield* Effect.forEach([1, 2, 3, 4], () => begin())
      for (const body of others) yield* body.receive(12 * MiB)
      expect(yield* stalled.refusal).toBeNull()
      yield* others[0]?.receive(2 * MiB) ?? Effect.void
      expect(yield* stalled.refusal).toBe("service_unavailable")
      expect(yield* Effect.forEach(others, (body) => body.refusal)).toEqual([null, null, null, null])
    })
  )

  for (const what of ["connection", "address"] as const) {
    it.effect(`are protected from one ${what} above its share, even if they are slower`, () =>
      Effect.gen(function* () {
        const { begin } = budgeted()
        const slow = yield* begin()
        yield* slow.receive(MiB)
        yield* TestClock.adjust("2 seconds")
        const flood = yield* Effect.forEach([1, 2, 3, 4], () => begin({ [what]: "one" }))
        for (const body of flood) yield* body.receive(16 * MiB)
        expect(yield* slow.refusal).toBeNull()
        const refusals = yield* Effect.forEach(flood, (body) => body.refusal)
        expect(refusals.filter((refusal) => refusal === "service_unavailable")).toHaveLength(1)
      })
    )
  }

  it.effect("are refused themselves if all others are complete", () =>
    Effect.gen(function* () {
      const { begin } = budgeted()
      const complete = yield* begin()
      yield* complete.receive(63 * MiB)
      yield* complete.end
      const late = yield* begin()
      yield* late.receive(2 * MiB)
      expect([yield* late.refusal, yield* complete.refusal]).toEqual(["service_unavailable", null])
      yield* complete.release
    })
  )

  it.effect("may exceed the whole budget, alone", () =>
    Effect.gen(function* () {
      const { begin } = budgeted()
      const large = yield* begin()
      yield* large.receive(100 * MiB)
      expect(yield* large.refusal).toBeNull()
    })
  )

  it.effect("do not count if they announce that they are small", () =>
    Effect.gen(function* () {
      const { begin } = budgeted()
      const complete = yield* begin()
      yield* complete.receive(64 * MiB)
      yield* complete.end
      const small = yield* begin({}, smallBody)
      yield* small.receive(smallBody)
      expect(yield* small.refusal).toBeNull()
      for (const announced of [null, smallBody + 1]) {
        const counted = yield* begin({}, announced)
        yield* counted.receive(1)
        expect(yield* counted.refusal).toBe("service_unavailable")
      }
    })
  )

  it.effect("count although small once concurrent small bodies have announced 16 MiB", () =>
    Effect.gen(function* () {
      const { begin } = budgeted()
      const complete = yield* begin()
      yield* complete.receive(64 * MiB)
      yield* complete.end
      const silent = yield* Effect.forEach(Array.from({ length: smallRoom / smallBody }), () => begin({}, smallBody))
      const counted = yield* begin({}, 2)
      yield* counted.receive(1)
      expect(yield* counted.refusal).toBe("service_unavailable")
      yield* Fiber.interrupt(silent[0]?.fiber ?? Fiber.void)
      yield* silent[1]?.end ?? Effect.void
      yield* silent[1]?.release ?? Effect.void
      for (const announced of [smallBody, smallBody]) {
        const small = yield* begin({}, announced)
        yield* small.receive(announced)
        expect(yield* small.refusal).toBeNull()
      }
    })
  )

  it.effect("are bounded in all, however small they are", () =>
    Effect.gen(function* () {
      const { begin } = budgeted()
      const bodies = yield* Effect.forEach(Array.from({ length: 2_000 }), () => begin({}, smallBody))
      for (const body of bodies) yield* body.receive(smallBody)
      const refusals = yield* Effect.forEach(bodies, (body) => body.refusal)
      const kept = refusals.filter((refusal) => refusal === null)
      expect(kept).toHaveLength((64 * MiB + smallRoom) / smallBody)
    })
  )

  it.effect("time out if they stall", () =>
    Effect.gen(function* () {
      const { begin } = budgeted()
      const body = yield* begin()
      yield* body.receive(MiB)
      yield* TestClock.adjust("5 seconds")
      yield* body.receive(1)
      yield* TestClock.adjust("4 seconds")
      expect(yield* body.refusal).toBeNull()
      yield* TestClock.adjust("1 second")
      expect(yield* body.refusal).toBe("BodyTimedOut")
    })
  )

  it.effect("do not time out once they are complete", () =>
    Effect.gen(function* () {
      const { begin } = budgeted()
      const body = yield* begin()
      yield* body.receive(MiB)
      yield* body.end
      yield* TestClock.adjust("1 minute")
      expect(yield* body.refusal).toBeNull()
      yield* body.release
    })
  )

  it.effect("release the budget, however they end", () =>
    Effect.gen(function* () {
      const { begin } = budgeted()
      for (let n = 0; n < 5; n++) {
        const interrupted = yield* begin()
        yield* interrupted.receive(40 * MiB)
        yield* Fiber.interrupt(interrupted.fiber)
        const used = yield* begin()
        yield* used.receive(40 * MiB)
        yield* used.end
        yield* Fiber.interrupt(used.fiber)
      }
      const complete = yield* begin()
      yield* complete.receive(MiB)
      yield* complete.end
      const last = yield* begin()
      yield* last.receive(63 * MiB)
      expect(yield* last.refusal).toBeNull()
      const { within } = makeBodyBudget(MiB)
      const sender = { connection: "one", address: "one" }
      expect(Exit.isFailure(yield* Effect.exit(within(sender, null, () => Effect.fail("no"), Effect.succeed)))).toBe(
        true
      )
      expect(yield* within(sender, null, () => Effect.succeed(1), Effect.succeed)).toBe(1)
    })
  )
})
