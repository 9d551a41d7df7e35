import { expect, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { type PostponeJobs, StorageBusy } from "../../src/ports/Storage.js"
import { lineMover } from "../../src/sends/lineMover.js"

const now = 10_000
const held = { id: "a", heldMs: 2_000, heldUntil: now + 5_000 }

it.effect("moves what would come before the end of a hold, or soon", () =>
  Effect.gen(function* () {
    const asked: Array<PostponeJobs> = []
    const moveLine = lineMover({ postponeJobs: (jobs) => Effect.sync(() => void asked.push(jobs)) })
    yield* moveLine(held, now)
    yield* moveLine(held, held.heldUntil)
    expect(asked).toMatchObject([
      { lane: "sends", subject: "a", field: "slot", behind: 2_000, notBefore: now + 5_000, dueBefore: now + 5_000 },
      { dueBefore: now + 6_000 }
    ])
  })
)

it.effect("moves a line once for all who meet it together, and others meanwhile", () =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const moved = yield* Deferred.make<void>()
    const moveLine = lineMover({
      postponeJobs: ({ subject }) =>
        Effect.zipRight(
          Effect.sync(() => asked.push(subject)),
          Deferred.await(moved)
        )
    })
    const first = yield* Effect.fork(moveLine(held, now))
    yield* Effect.yieldNow()
    yield* moveLine(held, now)
    yield* Effect.fork(moveLine({ ...held, id: "b" }, now))
    yield* Effect.yieldNow()
    expect(asked).toEqual(["a", "b"])
    yield* Deferred.succeed(moved, undefined)
    yield* first
    yield* moveLine(held, now)
    expect(asked).toEqual(["a", "b", "a"])
  })
)

it.effect("leaves those to themselves that it cannot move, and tries again", () =>
  Effect.gen(function* () {
    let tries = 0
    const moveLine = lineMover({
      postponeJobs: () =>
        Effect.zipRight(
          Effect.sync(() => tries++),
          Effect.fail(new StorageBusy({ reason: "busy" }))
        )
    })
    yield* moveLine(held, now)
    yield* moveLine(held, now)
    expect(tries).toBe(2)
  })
)
