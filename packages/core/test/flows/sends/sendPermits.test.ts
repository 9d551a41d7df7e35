import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { makeSendPermits } from "../../../src/flows/sends/sendPermits.js"

/** Sends of one connection, by name. Each runs until it is ended. */
const sends = Effect.gen(function* () {
  const { withPermit } = makeSendPermits()
  const running = new Set<string>()
  const ends = new Map<string, Deferred.Deferred<void>>()
  const start = (name: string, max: number) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      ends.set(name, end)
      const use = () =>
        Effect.sync(() => void running.add(name)).pipe(
          Effect.zipRight(Deferred.await(end)),
          Effect.zipRight(Effect.sync(() => void running.delete(name))),
          Effect.as(true)
        )
      const fiber = yield* Effect.fork(withPermit("connection", max, use, Effect.succeed(false)))
      yield* settle
      return fiber
    })
  const end = (name: string) =>
    Effect.zipRight(Deferred.succeed(ends.get(name) as Deferred.Deferred<void>, undefined), settle)
  return { end, running: () => [...running].sort().join(" "), start }
})

const settle = Effect.repeatN(Effect.yieldNow(), 20)

describe("permits of a connection's sends", () => {
  it.effect("let sends run that fit together", () =>
    Effect.gen(function* () {
      const { end, running, start } = yield* sends
      for (const name of ["1", "2", "3"]) yield* start(name, 3)
      yield* start("4", 3)
      expect(running()).toBe("1 2 3")
      yield* end("2")
      expect(running()).toBe("1 3 4")
    })
  )

  it.effect("let no large send run beside small ones that leave it no room", () =>
    Effect.gen(function* () {
      const { end, running, start } = yield* sends
      yield* start("large 1", 2)
      yield* start("small", 10)
      yield* start("large 2", 2)
      expect(running()).toBe("large 1 small")
      yield* end("small")
      expect(running()).toBe("large 1 large 2")
    })
  )

  it.effect("are given in order of arrival", () =>
    Effect.gen(function* () {
      const { end, running, start } = yield* sends
      yield* start("first", 1)
      yield* start("large", 1)
      yield* start("small", 10)
      yield* end("first")
      expect(running()).toBe("large")
      yield* end("large")
      expect(running()).toBe("small")
    })
  )

  it.effect("go to those behind a send that gave up its wait", () =>
    Effect.gen(function* () {
      const { running, start } = yield* sends
      yield* start("large 1", 2)
      const second = yield* start("large 2", 1)
      yield* TestClock.adjust("4 seconds")
      yield* start("small", 10)
      expect(running()).toBe("large 1")
      yield* TestClock.adjust("6 seconds")
      yield* settle
      expect(yield* Fiber.join(second)).toBe(false)
      expect(running()).toBe("large 1 small")
    })
  )

  it.effect("are refused to a send beyond those that may wait", () =>
    Effect.gen(function* () {
      const { start } = yield* sends
      for (const name of ["runs", "1", "2", "3", "4"]) yield* start(name, 1)
      expect(yield* Fiber.join(yield* start("5", 1))).toBe(false)
    })
  )
})
