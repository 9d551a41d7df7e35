import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { vendorFiles } from "../src/index.js"

/** Uploads that give the ids 1, 2, …, and how many there were. */
const counted = () => {
  let count = 0
  return { upload: Effect.sync(() => `${++count}`), count: () => count }
}

describe("the files that a vendor keeps", () => {
  it.effect("are uploaded once for each key, and again after their lifetime", () =>
    Effect.gen(function* () {
      const files = vendorFiles({ lifetimeMs: 1_000 })
      const { upload } = counted()
      expect(yield* files.idOf("a", upload)).toEqual({ id: "1", isKnown: false })
      yield* TestClock.adjust(999)
      expect(yield* files.idOf("a", upload)).toEqual({ id: "1", isKnown: true })
      expect(yield* files.idOf("b", upload)).toEqual({ id: "2", isKnown: false })
      yield* TestClock.adjust(1)
      expect(yield* files.idOf("a", upload)).toEqual({ id: "3", isKnown: false })
      expect(yield* files.idOf("a", upload)).toEqual({ id: "3", isKnown: true })
    })
  )

  it.effect("are forgotten if the vendor refuses them, except newer ids", () =>
    Effect.gen(function* () {
      const files = vendorFiles({ lifetimeMs: 1_000 })
      const { upload } = counted()
      yield* files.idOf("a", upload)
      files.forget("a", "1")
      expect(yield* files.idOf("a", upload)).toEqual({ id: "2", isKnown: false })
      files.forget("a", "1")
      expect(yield* files.idOf("a", upload)).toEqual({ id: "2", isKnown: true })
    })
  )

  it.effect("are at most so many: the least recently used one is forgotten", () =>
    Effect.gen(function* () {
      const files = vendorFiles({ lifetimeMs: 1_000, max: 2 })
      const { upload } = counted()
      for (const key of ["a", "b", "a", "c"]) yield* files.idOf(key, upload)
      expect(yield* files.idOf("a", upload)).toEqual({ id: "1", isKnown: true })
      expect(yield* files.idOf("b", upload)).toEqual({ id: "4", isKnown: false })
    })
  )

  it.effect("are uploaded once by concurrent calls, which share a failure", () =>
    Effect.gen(function* () {
      const files = vendorFiles({ lifetimeMs: 1_000 })
      const { count, upload } = counted()
      const slow = Effect.zipRight(Effect.sleep(10), upload)
      const all = (one: Effect.Effect<string, string>) =>
        Effect.all(
          Array.from({ length: 5 }, () => Effect.either(files.idOf("a", one))),
          { concurrency: "unbounded" }
        )
      const failing = yield* Effect.fork(all(Effect.zipRight(slow, Effect.fail("no"))))
      yield* TestClock.adjust(10)
      expect(yield* Fiber.join(failing)).toMatchObject(Array.from({ length: 5 }, () => ({ left: "no" })))
      expect(count()).toBe(1)
      const uploading = yield* Effect.fork(all(slow))
      yield* TestClock.adjust(10)
      expect(yield* Fiber.join(uploading)).toMatchObject(Array.from({ length: 5 }, () => ({ right: { id: "2" } })))
    })
  )

  it.effect("are uploaded by another call if the one that uploads is interrupted", () =>
    Effect.gen(function* () {
      const files = vendorFiles({ lifetimeMs: 1_000 })
      const started = yield* Deferred.make<void>()
      const first = yield* Effect.fork(
        files.idOf("a", Effect.zipRight(Deferred.succeed(started, undefined), Effect.never))
      )
      yield* Deferred.await(started)
      const second = yield* Effect.fork(files.idOf("a", Effect.succeed("2")))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      expect(yield* Fiber.join(second)).toEqual({ id: "2", isKnown: false })
    })
  )
})
