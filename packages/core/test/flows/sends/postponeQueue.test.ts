import { expect, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { makePostponeQueue } from "../../../src/flows/sends/postponeQueue.js"
import { type PostponeJobs, StorageBusy } from "../../../src/ports/Storage.js"

const now = 10_000
const held = { id: "a", heldMs: 2_000, heldUntil: now + 5_000 }

it.effect("postpones jobs that are due before the end of a hold, or soon", () =>
  Effect.gen(function* () {
    const requests: Array<PostponeJobs> = []
    const postponeQueue = makePostponeQueue({ postponeJobs: (jobs) => Effect.sync(() => void requests.push(jobs)) })
    yield* postponeQueue(held, now)
    yield* postponeQueue(held, held.heldUntil)
    expect(requests).toMatchObject([
      { lane: "sends", subject: "a", field: "slot", behind: 2_000, notBefore: now + 5_000, dueBefore: now + 5_000 },
      { dueBefore: now + 6_000 }
    ])
  })
)

it.effect("postpones a queue once for concurrent calls, and other queues independently", () =>
  Effect.gen(function* () {
    const requests: Array<string> = []
    const moved = yield* Deferred.make<void>()
    const postponeQueue = makePostponeQueue({
      postponeJobs: ({ subject }) =>
        Effect.zipRight(
          Effect.sync(() => requests.push(subject)),
          Deferred.await(moved)
        )
    })
    const first = yield* Effect.fork(postponeQueue(held, now))
    yield* Effect.yieldNow()
    yield* postponeQueue(held, now)
    yield* Effect.fork(postponeQueue({ ...held, id: "b" }, now))
    yield* Effect.yieldNow()
    expect(requests).toEqual(["a", "b"])
    yield* Deferred.succeed(moved, undefined)
    yield* first
    yield* postponeQueue(held, now)
    expect(requests).toEqual(["a", "b", "a"])
  })
)

it.effect("ignores a storage failure and tries again at the next call", () =>
  Effect.gen(function* () {
    let tries = 0
    const postponeQueue = makePostponeQueue({
      postponeJobs: () =>
        Effect.zipRight(
          Effect.sync(() => tries++),
          Effect.fail(new StorageBusy({ reason: "busy" }))
        )
    })
    yield* postponeQueue(held, now)
    yield* postponeQueue(held, now)
    expect(tries).toBe(2)
  })
)
