import { expect, it } from "@effect/vitest"
import { aJob } from "@parley/testkit/rows"
import { Deferred, Effect, ExecutionStrategy, Exit, Fiber, Layer, Queue, Scope, TestClock } from "effect"
import { describe } from "vitest"
import { recorded } from "../../src/kernel/metrics/recorded.js"
import { second } from "../../src/model/Instant.js"
import { type Job, type Lane, lanes } from "../../src/model/Job.js"
import { type ClaimJobs, Storage, StorageUnavailable } from "../../src/ports/Storage.js"
import { DatabaseClock } from "../../src/queue/DatabaseClock.js"
import { Dispatcher } from "../../src/queue/Dispatcher.js"
import { leaseMs } from "../../src/queue/HeldLease.js"
import * as Worker from "../../src/queue/Worker.js"
import { quietWakeup } from "../quietWakeup.js"
import { type Script, scriptedStorage } from "../scriptedStorage.js"

const job = aJob({ id: "01900000-0000-7000-8000-0000000000e1" })
const nothing = (nextDueAt: number | null = null) => Effect.succeed({ jobs: [], nextDueAt })
const wishFor = (lane: Lane) => ({ lane, limit: 10, perSubject: 10, except: [] })

/** A worker over a scripted storage, with a dispatcher that records start times. */
const working = (
  script: Script,
  {
    room = wishFor as Dispatcher["claimRequest"],
    worked = lanes as ReadonlyArray<Lane>,
    isCertain = (): boolean => true,
    renewEnded = Effect.void as Dispatcher["renewEnded"]
  } = {}
) =>
  Effect.gen(function* () {
    const { callsOf, storage } = yield* scriptedStorage(script)
    const clock = yield* Effect.clock
    const started: Array<readonly [at: number, job: Job]> = []
    const hints = yield* Queue.unbounded<ReadonlySet<Lane>>()
    const rooms = yield* Queue.unbounded<void>()
    const dispatcher = Dispatcher.of({
      owner: "this process",
      withReservedCapacity: (_, use) => use(() => null),
      start: () => Effect.void,
      serve: () => Effect.void,
      startClaimed: (_requests, jobs) =>
        Effect.sync(() => void started.push(...jobs.map((job) => [clock.unsafeCurrentTimeMillis(), job] as const))),
      enableStartAfterCommit: () => Effect.void,
      claimRequest: room,
      renewEnded,
      drain: Effect.void,
      capacityFreed: Queue.take(rooms)
    })
    const ports = Layer.mergeAll(
      Layer.succeed(Storage, storage),
      Layer.succeed(Dispatcher, dispatcher),
      Layer.succeed(DatabaseClock, { isCertain }),
      quietWakeup({ hints: Effect.succeed(hints) })
    )
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    yield* Scope.extend(
      Layer.build(Layer.provide(worked === lanes ? Worker.layer() : Worker.layer(worked), ports)),
      scope
    )
    yield* settled
    const claims = () => callsOf("claimJobs").map(({ given }) => given[0] as ClaimJobs)
    const hint = Effect.zipRight(Queue.offer(hints, new Set<Lane>()), settled)
    const makeRoom = Effect.zipRight(Queue.offer(rooms, undefined), settled)
    const close = Scope.close(scope, Exit.void)
    return { callsOf, claims, close, hint, makeRoom, started }
  })

/** Yields until all runnable fibers have run. */
const settled = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow(), { discard: true })

/** Scripts a storage with one job; `runAt` is evaluated at each claim. */
const oneJob = (runAt: () => number | null): Script => {
  let open = true
  return {
    claimJobs: ({ now }) =>
      Effect.sync(() => {
        const due = runAt()
        if (due === null || !open) return { jobs: [], nextDueAt: null }
        if (due > now) return { jobs: [], nextDueAt: due }
        open = false
        return { jobs: [job], nextDueAt: null }
      })
  }
}

describe("a worker", () => {
  it.scoped("claims after ended leases of its running jobs were renewed", () =>
    Effect.gen(function* () {
      const renewed = yield* Deferred.make<void>()
      const { claims } = yield* working({ claimJobs: [nothing()] }, { renewEnded: Deferred.await(renewed) })
      expect(claims()).toEqual([])
      yield* Deferred.succeed(renewed, undefined)
      yield* settled
      expect(claims()).toHaveLength(1)
    })
  )
  it.scoped("claims for all lanes with capacity in one call and starts the jobs", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(7 * second)
      const { claims, started } = yield* working(
        { claimJobs: [Effect.succeed({ jobs: [job, { ...job, id: "another" }], nextDueAt: null }), nothing()] },
        { room: (lane) => (lane === "runs" ? null : wishFor(lane)) }
      )
      expect(claims()[0]).toEqual({
        now: 7 * second,
        owner: "this process",
        leaseMs,
        lanes: lanes.filter((lane) => lane !== "runs").map(wishFor),
        nextDueUntil: 12 * second
      })
      expect(started.map(([, { id }]) => id)).toEqual([job.id, "another"])
    })
  )
  it.scoped("pauses after a claim that took no job for three times as long, at most 20 ms", () =>
    Effect.gen(function* () {
      const claimOf = (ms: number) => Effect.delay(nothing(), ms)
      const { claims, hint } = yield* working({ claimJobs: [claimOf(2), claimOf(10), nothing()] })
      yield* hint
      yield* TestClock.adjust(2 + 5)
      expect(claims()).toHaveLength(1)
      yield* TestClock.adjust(1)
      expect(claims()).toHaveLength(2)
      yield* TestClock.adjust(10)
      yield* hint
      yield* TestClock.adjust(19)
      expect(claims()).toHaveLength(2)
      yield* TestClock.adjust(1)
      expect(claims()).toHaveLength(3)
    })
  )
  it.scoped("waits for the next due time from the end of the pause on", () =>
    Effect.gen(function* () {
      const slow = Effect.delay(nothing(100), 10)
      const { claims } = yield* working({ claimJobs: [slow, nothing()] })
      yield* TestClock.adjust(10 + 99)
      expect(claims()).toHaveLength(1)
      yield* TestClock.adjust(1)
      expect(claims()).toHaveLength(2)
    })
  )
  it.scoped("does not pause after a slow claim that took jobs", () =>
    Effect.gen(function* () {
      const slow = Effect.delay(Effect.succeed({ jobs: [job], nextDueAt: 1_000 }), 10)
      const { claims, hint } = yield* working({ claimJobs: [slow, nothing()] })
      yield* TestClock.adjust(10)
      yield* hint
      expect(claims()).toHaveLength(2)
    })
  )
  it.scoped("waits 0.1 s while another transaction has locked all due jobs", () =>
    Effect.gen(function* () {
      const { claims } = yield* working({ claimJobs: [nothing(0), nothing()] })
      yield* TestClock.adjust(99)
      expect(claims()).toHaveLength(1)
      yield* TestClock.adjust(1)
      expect(claims()).toHaveLength(2)
    })
  )
  it.scoped("releases the jobs of a claim under way when it closes", () =>
    Effect.gen(function* () {
      const slow = Effect.as(Effect.uninterruptible(Effect.sleep(100)), { jobs: [job], nextDueAt: null })
      const { callsOf, close, started } = yield* working({ claimJobs: [slow], releaseLeases: [Effect.void] })
      const closing = yield* Effect.fork(close)
      yield* TestClock.adjust(100)
      yield* Fiber.join(closing)
      expect(started).toEqual([])
      expect(callsOf("releaseLeases").map(({ given }) => given)).toEqual([[[{ jobId: job.id, epoch: job.epoch }]]])
    })
  )
  it.scoped("goes on after a defect in a claim", () =>
    Effect.gen(function* () {
      const { started } = yield* working({
        claimJobs: [
          Effect.die(new SyntaxError("not JSON")),
          Effect.succeed({ jobs: [job], nextDueAt: null }),
          nothing()
        ]
      })
      yield* TestClock.adjust(900)
      expect(started).toHaveLength(1)
    })
  )
  it.scoped("claims only for its lanes", () =>
    Effect.gen(function* () {
      const { claims } = yield* working({ claimJobs: () => nothing() }, { worked: ["sends", "retries"] })
      expect(claims()[0]?.lanes.map(({ lane }) => lane)).toEqual(["sends", "retries"])
    })
  )
  it.scoped("claims again at once after a claim that reached a limit or left due jobs", () =>
    Effect.gen(function* () {
      const one = (subject: string) => ({ ...job, id: subject, lane: "receipts" as const, subject })
      const full = Effect.succeed({ jobs: [one("a"), one("b")], nextDueAt: null })
      const ofSubject = Effect.succeed({ jobs: [one("a")], nextDueAt: 900 })
      const locked = Effect.succeed({ jobs: [one("b")], nextDueAt: 0 })
      const { claims, started } = yield* working(
        { claimJobs: [full, ofSubject, locked, nothing()] },
        { room: (lane) => ({ lane, limit: 2, perSubject: lane === "receipts" ? 1 : 2, except: [] }) }
      )
      expect(started).toHaveLength(4)
      expect(claims()).toHaveLength(4)
    })
  )
  it.scoped("waits for the next due time after a claim that took all due jobs", () =>
    Effect.gen(function* () {
      const took = Effect.succeed({ jobs: [job], nextDueAt: 400 })
      const { claims } = yield* working({ claimJobs: [took, took, nothing()] })
      yield* TestClock.adjust(399)
      expect(claims()).toHaveLength(1)
      yield* TestClock.adjust(1)
      expect(claims().map(({ now }) => now)).toEqual([0, 400, 400])
    })
  )
  it.scoped("claims jobs together that become due within 20 ms", () =>
    Effect.gen(function* () {
      const took = Effect.succeed({ jobs: [job], nextDueAt: 401 })
      const { claims } = yield* working({
        claimJobs: [Effect.succeed({ jobs: [], nextDueAt: 400 }), took, nothing()]
      })
      yield* TestClock.adjust(419)
      expect(claims().map(({ now }) => now)).toEqual([0, 400])
      yield* TestClock.adjust(1)
      expect(claims().map(({ now }) => now)).toEqual([0, 400, 420])
    })
  )
  it.scoped("starts a known job when it is due", () =>
    Effect.gen(function* () {
      const { started } = yield* working(oneJob(() => 2_500))
      yield* TestClock.adjust(2_499)
      expect(started).toEqual([])
      yield* TestClock.adjust(1)
      expect(started.map(([at]) => at)).toEqual([2_500])
    })
  )
  it.scoped("starts a new job 0.9 s late at most without any hint, which leaves 0.1 s for its work", () =>
    Effect.gen(function* () {
      let left: number | null = null
      const { started } = yield* working(oneJob(() => left))
      yield* TestClock.adjust(30 * second + 1)
      left = 30 * second + 5
      yield* TestClock.adjust(900)
      expect(started).toHaveLength(1)
    })
  )
  it.scoped("polls every 0.9 s, and queries the next due time only if unknown", () =>
    Effect.gen(function* () {
      const { claims } = yield* working({
        claimJobs: ({ nextDueUntil }) => nothing(nextDueUntil === null ? null : 2_500)
      })
      yield* TestClock.adjust(899)
      expect(claims()).toHaveLength(1)
      yield* TestClock.adjust(1_601)
      expect(claims().map(({ nextDueUntil, now }) => [now, nextDueUntil])).toEqual([
        [0, 5_000],
        [900, null],
        [1_800, null],
        [2_500, 7_500]
      ])
    })
  )
  it.scoped("looks five seconds ahead for the next due time, and again after these", () =>
    Effect.gen(function* () {
      const { claims } = yield* working({ claimJobs: () => nothing() })
      yield* TestClock.adjust(6_000)
      const untils = claims().flatMap(({ nextDueUntil, now }) => (nextDueUntil === null ? [] : [[now, nextDueUntil]]))
      expect(untils).toEqual([
        [0, 5_000],
        [5_000, 10_000]
      ])
      expect(claims()).toHaveLength(8)
    })
  )
  it.scoped("claims at once after a hint and queries the next due time again", () =>
    Effect.gen(function* () {
      const { claims, hint } = yield* working({ claimJobs: () => nothing(5_000) })
      yield* TestClock.adjust(10)
      yield* hint
      expect(claims().map(({ nextDueUntil, now }) => [now, nextDueUntil])).toEqual([
        [0, 5_000],
        [10, 5_010]
      ])
    })
  )
  it.scoped("does not claim without capacity, and claims once there is some", () =>
    Effect.gen(function* () {
      let full = true
      const { claims, makeRoom } = yield* working(
        { claimJobs: () => nothing() },
        { room: (lane) => (full ? null : wishFor(lane)) }
      )
      yield* TestClock.adjust(10 * second)
      expect(claims()).toEqual([])
      full = false
      yield* makeRoom
      expect(claims()).toHaveLength(1)
    })
  )
  it.scoped("claims again 0.9 s after a failed claim", () =>
    Effect.gen(function* () {
      const { claims, started } = yield* working({
        claimJobs: [
          new StorageUnavailable({ cause: "cut off" }),
          Effect.succeed({ jobs: [job], nextDueAt: null }),
          nothing()
        ]
      })
      yield* TestClock.adjust(899)
      expect(claims()).toHaveLength(1)
      yield* TestClock.adjust(1)
      expect(claims()[1]?.nextDueUntil).toBe(5_900)
      expect(started).toHaveLength(1)
    })
  )
  it.scoped("initialises the failure counters of all lanes", () =>
    Effect.gen(function* () {
      yield* working({ claimJobs: () => nothing() })
      const [failures] = recorded("parley_job_failures_total")
      expect(failures?.samples.map(({ labels }) => labels.lane)).toEqual(expect.arrayContaining([...lanes]))
    })
  )
  it.scoped("claims nothing while the time is uncertain, and continues afterwards", () =>
    Effect.gen(function* () {
      let isCertain = false
      const { claims } = yield* working({ claimJobs: () => nothing() }, { isCertain: () => isCertain })
      yield* TestClock.adjust(5 * second)
      expect(claims()).toEqual([])
      isCertain = true
      yield* TestClock.adjust(1 * second)
      expect(claims().length).toBeGreaterThan(0)
    })
  )
})
