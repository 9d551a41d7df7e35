import { expect, it } from "@effect/vitest"
import { aJob } from "@parley/testkit"
import { Effect, Layer, Queue, TestClock } from "effect"
import { minute } from "../../src/Instant.js"
import { type ClaimJobs, Storage } from "../../src/ports/Storage.js"
import { Wakeup } from "../../src/ports/Wakeup.js"
import { Dispatcher } from "../../src/worker/Dispatcher.js"
import type { Job, Lane } from "../../src/worker/Job.js"
import * as Worker from "../../src/worker/Worker.js"

/** A storage with one job that is due at a moment, and a dispatcher that notes when jobs were started. */
const stage = (runAt: () => number | null) => {
  const started: Array<readonly [at: number, job: Job]> = []
  let open = true
  const claimJobs = ({ now }: ClaimJobs) =>
    Effect.sync(() => {
      const due = runAt()
      if (due === null || !open) return { jobs: [], nextDueAt: null }
      if (due > now) return { jobs: [], nextDueAt: due }
      open = false
      return { jobs: [aJob({ id: "01900000-0000-7000-8000-0000000000e1", runAt: due })], nextDueAt: null }
    })
  const storage = Layer.succeed(Storage, { claimJobs } as unknown as Storage)
  const dispatcher = Layer.effect(
    Dispatcher,
    Effect.map(Effect.clock, (clock) => ({
      owner: "test",
      offer: () => null,
      start: (job: Job) => Effect.sync(() => void started.push([clock.unsafeCurrentTimeMillis(), job])),
      wish: (lane: Lane) => ({ lane, limit: 10, perSubject: 10, except: [] }),
      roomMade: Effect.never
    }))
  )
  // Every hint is lost.
  const wakeup = Layer.succeed(Wakeup, { notify: () => Effect.void, hints: Queue.unbounded<ReadonlySet<Lane>>() })
  return { started, worker: Layer.provide(Worker.layer(), Layer.mergeAll(storage, dispatcher, wakeup)) }
}

it.scoped("begins work that it knows of when it is due", () =>
  Effect.gen(function* () {
    const { started, worker } = stage(() => 2_500)
    yield* Layer.build(worker)
    yield* TestClock.adjust(2_499)
    expect(started).toEqual([])
    yield* TestClock.adjust(1)
    expect(started.map(([at]) => at)).toEqual([2_500])
  })
)

it.scoped("begins work that somebody left after its last look at most a second late, though every hint is lost", () =>
  Effect.gen(function* () {
    let left: number | null = null
    const { started, worker } = stage(() => left)
    yield* Layer.build(worker)
    yield* TestClock.adjust(10 * minute + 1)
    left = 10 * minute + 5
    yield* TestClock.adjust(1_000)
    expect(started).toHaveLength(1)
    expect(started[0]?.[0] ?? 0).toBeLessThanOrEqual(left + 1_000)
  })
)
