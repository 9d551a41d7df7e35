import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { makeBoundary } from "../src/server/boundary.js"
import { fakes } from "./fakes.js"

it.effect("keeps an interruption that comes while its request cannot be interrupted", () =>
  Effect.gen(function* () {
    const { boundary } = yield* makeBoundary(0)
    const begun = yield* Deferred.make<void>()
    const goesOn = yield* Deferred.make<void>()
    const outcome = { status: 200, headers: {}, body: "", code: null }
    const work = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(goesOn)).pipe(Effect.as(outcome))
    const refusedAs = () => outcome
    const answer = boundary({ method: "GET", url: "/api/v1/contacts" }, null, 0, "test", refusedAs, () => work)
    const caller = yield* Effect.fork(Effect.zipRight(Effect.uninterruptible(answer), Effect.succeed("goes on")))
    yield* Deferred.await(begun)
    const interrupted = yield* Effect.fork(Fiber.interrupt(caller))
    yield* Effect.yieldNow()
    yield* Deferred.succeed(goesOn, undefined)
    expect(Exit.isInterrupted(yield* Fiber.join(interrupted))).toBe(true)
  }).pipe(Effect.provide(fakes({}).services))
)
