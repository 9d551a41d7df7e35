import { expect, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { makePostponeQueue, timesAfterHold, timesWhilePaused } from "../../../src/flows/sends/postponeQueue.js"
import { type PostponeJobs, StorageBusy } from "../../../src/ports/Storage.js"

const now = 10_000
const held = { heldMs: 2_000, heldUntil: now + 5_000 }
const times = timesAfterHold(held, now)

it.effect("postpones jobs that are due before the end of a hold, or soon", () =>
  Effect.gen(function* () {
    const requests: Array<PostponeJobs> = []
    const postponeQueue = makePostponeQueue({ postponeJobs: (jobs) => Effect.sync(() => void requests.push(jobs)) })
    yield* postponeQueue({ id: "a" }, timesAfterHold(held, now))
    yield* postponeQueue({ id: "a" }, timesAfterHold(held, held.heldUntil))
    expect(requests).toMatchObject([
      { lane: "sends", subject: "a", field: "slot", behind: 2_000, notBefore: now + 5_000, dueBefore: now + 5_000 },
      { dueBefore: now + 6_000 }
    ])
  })
)

it.effect("postpones untried jobs of a paused connection that are due to the time of the claimed one", () =>
  Effect.gen(function* () {
    const requests: Array<PostponeJobs> = []
    const postponeQueue = makePostponeQueue({ postponeJobs: (jobs) => Effect.sync(() => void requests.push(jobs)) })
    yield* postponeQueue({ id: "a" }, timesWhilePaused(now + 60_000, now))
    expect(requests).toMatchObject([
      { lane: "sends", subject: "a", field: "slot", behind: null, notBefore: now + 60_000, dueBefore: now }
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
    const first = yield* Effect.fork(postponeQueue({ id: "a" }, times))
    yield* Effect.yieldNow()
    yield* postponeQueue({ id: "a" }, times)
    yield* Effect.fork(postponeQueue({ id: "b" }, times))
    yield* Effect.yieldNow()
    expect(requests).toEqual(["a", "b"])
    yield* Deferred.succeed(moved, undefined)
    yield* first
    yield* postponeQueue({ id: "a" }, times)
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
    yield* postponeQueue({ id: "a" }, times)
    yield* postponeQueue({ id: "a" }, times)
    expect(tries).toBe(2)
  })
)
