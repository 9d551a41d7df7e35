import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
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
  it.effect("let as many run as each send allows, whatever others allow", () =>
    Effect.gen(function* () {
      const { end, running, start } = yield* sends
      yield* start("large 1", 2)
      yield* start("large 2", 2)
      yield* start("small", 10)
      expect(running()).toBe("large 1 large 2 small")
      yield* start("large 3", 2)
      yield* end("large 1")
      expect(running()).toBe("large 2 small")
      yield* end("small")
      expect(running()).toBe("large 2 large 3")
    })
  )

  it.effect("are given in order of arrival", () =>
    Effect.gen(function* () {
      const { end, running, start } = yield* sends
      yield* start("first", 1)
      yield* start("large", 1)
      yield* start("small", 10)
      expect(running()).toBe("first")
      yield* end("first")
      expect(running()).toBe("large small")
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
