import { expect, it } from "@effect/vitest"
import { aJob } from "@parley/testkit/rows"
import { testIds } from "@parley/testkit/services"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope, TestClock } from "effect"
import { describe } from "vitest"
import { defaultSettings, layer as engineSettings, type LaneLimits } from "../../src/kernel/EngineSettings.js"
import { recorded } from "../../src/kernel/metrics/recorded.js"
import { nextTurn } from "../../src/kernel/nextTurn.js"
import { second } from "../../src/model/Instant.js"
import { type Job, type JobOwner, type Lane, lanes } from "../../src/model/Job.js"
import type { Changes } from "../../src/ports/Changes.js"
import { CommitOutcome, type Lease, Storage, StorageUnavailable } from "../../src/ports/Storage.js"
import { DatabaseClock } from "../../src/queue/DatabaseClock.js"
import * as Dispatcher from "../../src/queue/Dispatcher.js"
import { DispatcherHooks } from "../../src/queue/DispatcherHooks.js"
import { maxFailures } from "../../src/queue/failJob.js"
import * as Handlers from "../../src/queue/Handlers.js"
import { type LeaseLoss, leaseLosses } from "../../src/queue/HeldLease.js"
import { type Script, scriptedStorage } from "../scriptedStorage.js"

const id = (n: number) => `01900000-0000-7000-8000-${`${n}`.padStart(12, "0")}`
const jobOf = (n: number, more: Partial<Job> = {}): Job =>
  aJob({ id: id(n), lane: "calls", subject: "one", epoch: n, leaseUntil: 15 * second, ...more })
const leaseOf = ({ id, epoch }: Job): Lease => ({ jobId: id, epoch })

/** The present value of a counter of this process, over all its engines. */
const counted = (name: string, lane?: Lane, reason?: LeaseLoss): number =>
  recorded(name)
    .flatMap(({ samples }) => samples)
    .filter(({ labels }) => lane === undefined || labels.lane === lane)
    .filter(({ labels }) => reason === undefined || labels.reason === reason)
    .reduce((sum, { value }) => sum + value, 0)

/**
 * A dispatcher in its own scope over a scripted storage. Its jobs run until `end`. The lane `calls` has a concurrency
 * of eight, four for each subject.
 */
const dispatching = (
  script: Script,
  limits: LaneLimits = { concurrency: 8, perSubject: 4 },
  isCertain: () => boolean = () => true,
  handler: (work: (job: Job) => Handlers.Run) => Handlers.Handlers[Lane] = Handlers.each
) =>
  Effect.gen(function* () {
    const { calls, callsOf, storage } = yield* scriptedStorage(script)
    const started: DispatcherHooks = { starter: null, observeSettle: () => null }
    const begun: Array<string> = []
    const stopped: Array<string> = []
    const ends = new Map<string, Deferred.Deferred<void, StorageUnavailable>>()
    const work = (job: Job) =>
      Effect.gen(function* () {
        begun.push(job.id)
        const end = yield* Deferred.make<void, StorageUnavailable>()
        ends.set(job.id, end)
        yield* Deferred.await(end)
      }).pipe(Effect.onInterrupt(() => Effect.sync(() => void stopped.push(job.id))))
    const handlers = Object.fromEntries(lanes.map((lane) => [lane, handler(work)])) as unknown as Handlers.Handlers
    // Ends the remaining jobs of a test, since the test clock does not advance during the shutdown.
    const letAllEnd = Effect.suspend(() =>
      Effect.forEach(ends.values(), (end) => Deferred.done(end, Exit.void), { discard: true })
    )
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope, exit) =>
      Effect.zipRight(letAllEnd, Scope.close(scope, exit))
    )
    const context = yield* Layer.buildWithScope(
      Layer.provide(
        Dispatcher.layer,
        Layer.mergeAll(
          Layer.succeed(Storage, storage),
          Layer.succeed(DatabaseClock, { isCertain }),
          Layer.succeed(DispatcherHooks, started),
          Layer.succeed(Handlers.Handlers, handlers),
          engineSettings({ lanes: { ...defaultSettings.lanes, calls: limits } }),
          testIds
        )
      ),
      scope
    )
    const dispatcher = Context.get(context, Dispatcher.Dispatcher)
    const start = (...jobs: ReadonlyArray<Job>) =>
      Effect.zipRight(Effect.forEach(jobs, dispatcher.start, { discard: true }), settled)
    const end = (job: Job, how: Exit.Exit<void, StorageUnavailable> = Exit.void) =>
      Effect.zipRight(
        Effect.suspend(() => Deferred.done(ends.get(job.id) as Deferred.Deferred<void, StorageUnavailable>, how)),
        settled
      )
    const shutDown = Effect.fork(Scope.close(scope, Exit.void))
    return { begun, stopped, calls, callsOf, dispatcher, started, start, end, shutDown }
  })

/** Yields until all runnable fibers have run. */
const settled = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow(), { discard: true })

const nothingGone: Script = { renewLeases: () => Effect.succeed([]) }
const subjects = (count: number, more: Partial<Job> = {}) =>
  Array.from({ length: count }, (_, n) => jobOf(n + 1, { subject: `subject ${n}`, ...more }))

const ownerOf = (subject: string): JobOwner => ({ workspaceId: jobOf(1).workspaceId, subject })

/** The lease that a new job of the lane and subject would get. */
const leaseIn = (dispatcher: Dispatcher.Dispatcher, lane: Lane, subject = "another") =>
  dispatcher.withReservedCapacity(lane, (leaseFor) => Effect.succeed(leaseFor(ownerOf(subject))))

describe("a large claim", () => {
  it.scoped("starts its jobs over several turns of the event loop", () =>
    Effect.gen(function* () {
      const { begun, dispatcher } = yield* dispatching(nothingGone, { concurrency: 64, perSubject: 2 })
      const jobs = subjects(2 * Dispatcher.startsPerTurn + 1)
      yield* dispatcher.startClaimed([], jobs)
      yield* settled
      expect(begun.length).toBe(Dispatcher.startsPerTurn)
      yield* Effect.zipRight(nextTurn, settled)
      expect(begun.length).toBe(2 * Dispatcher.startsPerTurn)
      yield* Effect.zipRight(nextTurn, settled)
      expect(begun).toEqual(jobs.map(({ id }) => id))
    })
  )
})

describe("the capacity of a lane", () => {
  it.scoped("is claimed in quarters, with half of a subject's limit", () =>
    Effect.gen(function* () {
      const { dispatcher } = yield* dispatching({})
      expect(dispatcher.claimRequest("calls")).toEqual({ lane: "calls", limit: 2, perSubject: 2, except: [] })
      expect(dispatcher.claimRequest("housekeeping")).toEqual({
        lane: "housekeeping",
        limit: 1,
        perSubject: 1,
        except: []
      })
    })
  )
  it.scoped("is not claimable with less than a quarter free", () =>
    Effect.gen(function* () {
      const { dispatcher, end, start } = yield* dispatching(nothingGone)
      const jobs = subjects(7)
      yield* start(...jobs.slice(0, 6))
      expect(dispatcher.claimRequest("calls")?.limit).toBe(2)
      yield* start(jobs[6] as Job)
      expect(dispatcher.claimRequest("calls")).toBeNull()
      expect(dispatcher.claimRequest("runs")).not.toBeNull()
      yield* end(jobs[0] as Job)
      expect(dispatcher.claimRequest("calls")?.limit).toBe(2)
    })
  )
  it.scoped("excludes a subject above half of its limit", () =>
    Effect.gen(function* () {
      const { dispatcher, end, start } = yield* dispatching(nothingGone)
      yield* start(jobOf(1), jobOf(2), jobOf(9, { subject: "other" }))
      expect(dispatcher.claimRequest("calls")?.except).toEqual([])
      yield* start(jobOf(3))
      expect(dispatcher.claimRequest("calls")?.except).toEqual(["one"])
      yield* end(jobOf(2))
      expect(dispatcher.claimRequest("calls")?.except).toEqual([])
    })
  )
  it.scoped("of served subjects is claimed for those alone, each with its own limit", () =>
    Effect.gen(function* () {
      const { dispatcher, end, start } = yield* dispatching(nothingGone)
      const request = () => dispatcher.claimRequest("subscriptions")
      expect(request()).toBeNull()
      const scope = yield* Scope.make()
      yield* dispatcher.serve("subscriptions", "one", 1)
      yield* Scope.extend(dispatcher.serve("subscriptions", "other", 4), scope)
      expect(request()).toMatchObject({ only: ["one", "other"], except: [], perSubject: 1 })
      const jobs = [1, 2, 3, 4].map((n) => jobOf(n, { lane: "subscriptions", subject: n === 1 ? "one" : "other" }))
      yield* start(jobs[0] as Job)
      expect(request()).toMatchObject({ only: ["other"], perSubject: 2 })
      yield* start(...jobs.slice(1))
      expect(request()).toBeNull()
      yield* end(jobs[1] as Job)
      expect(request()).toMatchObject({ only: ["other"] })
      yield* Scope.close(scope, Exit.void)
      expect(request()).toBeNull()
      yield* end(jobs[0] as Job)
      expect(request()).toMatchObject({ only: ["one"] })
    })
  )
  it.scoped("is signalled when a subject is served", () =>
    Effect.gen(function* () {
      const { dispatcher } = yield* dispatching(nothingGone)
      const waits = yield* Effect.fork(dispatcher.capacityFreed)
      yield* settled
      expect(waits.unsafePoll()).toBeNull()
      yield* dispatcher.serve("subscriptions", "one", 1)
      yield* settled
      expect(waits.unsafePoll()).toEqual(Exit.void)
    })
  )
  it.scoped("is signalled when a full lane has a quarter free again", () =>
    Effect.gen(function* () {
      const { dispatcher, end, start } = yield* dispatching(nothingGone)
      const jobs = subjects(8)
      yield* start(...jobs)
      const waits = yield* Effect.fork(dispatcher.capacityFreed)
      yield* end(jobs[0] as Job)
      expect(waits.unsafePoll()).toBeNull()
      yield* end(jobs[1] as Job)
      expect(waits.unsafePoll()).toEqual(Exit.void)
    })
  )
  it.scoped("is signalled when a full subject has half of its limit free again", () =>
    Effect.gen(function* () {
      const { dispatcher, end, start } = yield* dispatching(nothingGone)
      yield* start(jobOf(1), jobOf(2), jobOf(3), jobOf(4))
      const waits = yield* Effect.fork(dispatcher.capacityFreed)
      yield* end(jobOf(1))
      expect(waits.unsafePoll()).toBeNull()
      yield* end(jobOf(2))
      expect(waits.unsafePoll()).toEqual(Exit.void)
    })
  )
  it.scoped("keeps a signal for a later waiter, and sends none where there was capacity", () =>
    Effect.gen(function* () {
      const { dispatcher, end, start } = yield* dispatching(nothingGone)
      const jobs = subjects(8)
      yield* start(jobs[0] as Job)
      yield* end(jobs[0] as Job)
      const waits = yield* Effect.fork(dispatcher.capacityFreed)
      yield* settled
      expect(waits.unsafePoll()).toBeNull()
      yield* Fiber.interrupt(waits)
      yield* start(...jobs)
      yield* end(jobs[0] as Job)
      yield* end(jobs[1] as Job)
      yield* dispatcher.capacityFreed
    })
  )
  it.scoped("is shared by all slow subjects up to their limit", () =>
    Effect.gen(function* () {
      const limits = { concurrency: 16, perSubject: 2, maxSlow: 8 }
      const { dispatcher, end, start } = yield* dispatching(nothingGone, limits)
      const except = () => [...(dispatcher.claimRequest("calls")?.except ?? [])].sort()
      const jobs = subjects(6)
      yield* start(...jobs.slice(0, 5))
      // Running for less than two seconds, they are not slow yet.
      yield* TestClock.adjust(2 * second - 1)
      expect(except()).toEqual([])
      yield* TestClock.adjust(1)
      const names = jobs.slice(0, 5).map(({ subject }) => subject)
      expect(except()).toEqual(names)
      const waits = yield* Effect.fork(dispatcher.capacityFreed)
      yield* end(jobs[0] as Job)
      // Room again, which is signalled.
      expect(waits.unsafePoll()).toEqual(Exit.void)
      expect(except()).toEqual([])
      // A subject that was slow lately counts from the start of its job, and a quick job ends that.
      yield* start(jobOf(21, { subject: "subject 0" }))
      expect(except()).toEqual(names)
      yield* end(jobOf(21))
      yield* start(jobOf(22, { subject: "subject 0" }))
      expect(except()).toEqual([])
    })
  )
  it.scoped("is filled by one workspace up to its limit only, so that others have the rest", () =>
    Effect.gen(function* () {
      const all = yield* dispatching(nothingGone, { concurrency: 16, perSubject: 4, perWorkspace: 11 })
      const { dispatcher, end } = all
      yield* dispatcher.enableStartAfterCommit(lanes)
      yield* claimed(all)
      const except = () => [...(dispatcher.claimRequest("calls")?.except ?? [])].sort()
      const reserves = (job: Job) => all.started.starter?.reserve(job) !== null
      const many = subjects(11)
      // New jobs leave the capacity of a claim, which is four, in the share of the workspace too.
      expect(many.slice(0, 8).map((job) => reserves({ ...job, leaseUntil: 0, runAt: 0 }))).toEqual([
        ...Array.from({ length: 7 }, () => true),
        false
      ])
      yield* all.started.starter?.start(many.slice(0, 7)) ?? Effect.void
      yield* settled
      expect(except()).toEqual([])
      const waits = yield* Effect.fork(dispatcher.capacityFreed)
      yield* settled
      yield* dispatcher.startClaimed([], many.slice(7))
      yield* settled
      const names = many.map(({ subject }) => subject).sort()
      expect(except()).toEqual(names)
      const other = { workspaceId: id(999), subject: "of another workspace" }
      const leaseOf = (owner: JobOwner) =>
        dispatcher.withReservedCapacity("calls", (leaseFor) => Effect.succeed(leaseFor(owner)))
      expect(yield* leaseOf(ownerOf("another"))).toBeNull()
      expect(yield* leaseOf(other)).not.toBeNull()
      // Subjects that wait are excluded too: their jobs would exceed the share.
      expect(reserves(unleased(12, { subject: "a third" }))).toBe(false)
      expect(except()).toEqual([...names, "another", "a third"].sort())
      for (const job of many.slice(0, 3)) yield* end(job)
      expect(waits.unsafePoll()).toBeNull()
      yield* end(many[3] as Job)
      expect(waits.unsafePoll()).toEqual(Exit.void)
      expect(except()).toEqual([])
    })
  )
  it.scoped(
    "is signalled when a lane that several workspaces fill has a quarter free, also by one above its share",
    () =>
      Effect.gen(function* () {
        const limits = { concurrency: 16, perSubject: 4, perWorkspace: 11 }
        const { dispatcher, end, start } = yield* dispatching(nothingGone, limits)
        const others = subjects(13).slice(11)
        yield* start(...subjects(11), ...others.map((job) => ({ ...job, workspaceId: id(999) })))
        expect(dispatcher.claimRequest("calls")).toBeNull()
        const waits = yield* Effect.fork(dispatcher.capacityFreed)
        yield* end(jobOf(1))
        expect(dispatcher.claimRequest("calls")).not.toBeNull()
        expect(waits.unsafePoll()).toEqual(Exit.void)
      })
  )
  it.scoped("excludes subjects that were slow in the last five minutes, also without a running job", () =>
    Effect.gen(function* () {
      const limits = { concurrency: 16, perSubject: 2, maxSlow: 5 }
      const { dispatcher, end, start } = yield* dispatching(nothingGone, limits)
      const except = () => [...(dispatcher.claimRequest("calls")?.except ?? [])].sort()
      const [gone, hangs] = [jobOf(1, { subject: "gone" }), jobOf(2, { subject: "hangs" })]
      yield* start(gone)
      yield* TestClock.adjust(2 * second)
      yield* end(gone)
      yield* start(hangs, jobOf(3, { subject: "hangs" }))
      yield* TestClock.adjust(300 * second - 1)
      expect(except()).toEqual(["gone", "hangs"])
      yield* TestClock.adjust(1)
      expect(except()).toEqual(["hangs"])
    })
  )
  it.scoped("takes no subject for slow while the storage is slow", () =>
    Effect.gen(function* () {
      const limits = { concurrency: 16, perSubject: 2, maxSlow: 4 }
      const loaded = yield* Deferred.make<void>()
      const { dispatcher, end, start, started } = yield* dispatching(
        nothingGone,
        limits,
        undefined,
        (work) => (jobs) => Effect.as(Deferred.await(loaded), jobs.map(work))
      )
      const except = () => dispatcher.claimRequest("calls")?.except ?? []
      const [quick, hangs] = [jobOf(1, { subject: "quick" }), jobOf(2, { subject: "hangs" })]
      yield* start(quick)
      yield* TestClock.adjust(2 * second)
      yield* Deferred.succeed(loaded, undefined)
      yield* settled
      // The outcome is sent, and the commit takes long.
      started.observeSettle({ jobId: quick.id, epoch: quick.epoch, again: null })
      yield* TestClock.adjust(2 * second)
      expect(except()).toEqual([])
      yield* start(hangs)
      yield* end(quick)
      expect(except()).toEqual([])
      yield* TestClock.adjust(2 * second)
      expect(except()).toEqual(["hangs"])
    })
  )
  it.scoped("remembers slow subjects of lanes with a limit for them only", () =>
    Effect.gen(function* () {
      const { dispatcher, end, start } = yield* dispatching(nothingGone, { concurrency: 16, perSubject: 2, maxSlow: 4 })
      const run = jobOf(1, { lane: "runs", subject: "a workflow" })
      yield* start(run)
      yield* TestClock.adjust(2 * second)
      yield* end(run)
      yield* start(jobOf(2, { subject: "hangs" }))
      yield* TestClock.adjust(2 * second)
      expect(dispatcher.claimRequest("calls")?.except).toEqual(["hangs"])
    })
  )
  it.scoped("gives new jobs a lease of fifteen seconds, but for the places of a claim", () =>
    Effect.gen(function* () {
      const { dispatcher, start } = yield* dispatching(nothingGone)
      const jobs = subjects(8)
      yield* dispatcher.enableStartAfterCommit(lanes)
      yield* start(...jobs.slice(0, 5))
      expect(yield* leaseIn(dispatcher, "calls")).toEqual({ owner: dispatcher.owner, until: 15_000 })
      yield* start(jobs[5] as Job)
      expect(yield* leaseIn(dispatcher, "calls")).toBeNull()
      expect(dispatcher.claimRequest("calls")).toMatchObject({ limit: 2 })
      expect(yield* leaseIn(dispatcher, "runs")).not.toBeNull()
    })
  )
  it.scoped("gives new jobs a lease until the lane is full in a process without a worker", () =>
    Effect.gen(function* () {
      const { dispatcher, start } = yield* dispatching(nothingGone)
      const jobs = subjects(8)
      yield* start(...jobs.slice(0, 7))
      expect(yield* leaseIn(dispatcher, "calls")).not.toBeNull()
      yield* start(jobs[7] as Job)
      expect(yield* leaseIn(dispatcher, "calls")).toBeNull()
    })
  )
  it.scoped("gives new jobs of a subject no lease while more than half of its cap runs", () =>
    Effect.gen(function* () {
      const { dispatcher, start } = yield* dispatching(nothingGone)
      yield* start(...[1, 2].map((n) => jobOf(n, { subject: "hangs" })))
      expect(yield* leaseIn(dispatcher, "calls", "hangs")).not.toBeNull()
      yield* start(jobOf(3, { subject: "hangs" }))
      // The others are for claims of its waiting jobs.
      expect(yield* leaseIn(dispatcher, "calls", "hangs")).toBeNull()
      expect(yield* leaseIn(dispatcher, "calls")).not.toBeNull()
    })
  )
  it.scoped("gives no more leases at once than the lane has places for new jobs", () =>
    Effect.gen(function* () {
      const { dispatcher } = yield* dispatching(nothingGone)
      yield* dispatcher.enableStartAfterCommit(lanes)
      const given: Array<boolean> = []
      const holding = (n: number) =>
        dispatcher.withReservedCapacity("calls", (leaseFor) => {
          given.push(leaseFor(ownerOf(`subject ${n}`)) !== null)
          return Effect.delay(Effect.void, 1_000)
        })
      const all = yield* Effect.fork(
        Effect.all(
          Array.from({ length: 10 }, (_, n) => holding(n)),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust(0)
      expect(given.filter((isLease) => isLease)).toHaveLength(6)
      yield* TestClock.adjust(1_000)
      yield* Fiber.join(all)
      expect(yield* leaseIn(dispatcher, "calls")).not.toBeNull()
      yield* Effect.exit(dispatcher.withReservedCapacity("calls", () => Effect.die("a defect")))
      expect(yield* leaseIn(dispatcher, "calls")).not.toBeNull()
    })
  )
  it.scoped("gives a workspace no more leases at once than its share has places for new jobs", () =>
    Effect.gen(function* () {
      const { dispatcher } = yield* dispatching(nothingGone, { concurrency: 16, perSubject: 16, perWorkspace: 11 })
      yield* dispatcher.enableStartAfterCommit(lanes)
      const holding = (owner: JobOwner) =>
        dispatcher.withReservedCapacity("calls", (leaseFor) => {
          // A decision that met a conflict asks again.
          leaseFor(owner)
          return Effect.delay(Effect.succeed(leaseFor(owner) !== null), 1_000)
        })
      const requests = Array.from({ length: 9 }, (_, n) => holding(ownerOf(`subject ${n}`)))
      const other = holding({ workspaceId: id(999), subject: "another" })
      const all = yield* Effect.fork(Effect.all([...requests, other], { concurrency: "unbounded" }))
      yield* TestClock.adjust(1_000)
      const given = yield* Fiber.join(all)
      expect(given).toEqual([...Array.from({ length: 7 }, () => true), false, false, true])
      expect(yield* leaseIn(dispatcher, "calls")).not.toBeNull()
    })
  )
  it.scoped("gives new jobs no lease while the time is uncertain", () =>
    Effect.gen(function* () {
      let isCertain = false
      const { dispatcher } = yield* dispatching(nothingGone, undefined, () => isCertain)
      expect(yield* leaseIn(dispatcher, "calls")).toBeNull()
      isCertain = true
      expect(yield* leaseIn(dispatcher, "calls")).not.toBeNull()
    })
  )
})

/** A storage that accepts commits. */
const committing: Script = { ...nothingGone, commit: () => Effect.succeed(CommitOutcome.Committed({ bumped: [] })) }
const settleOf = (call: { readonly given: ReadonlyArray<unknown> } | undefined) =>
  (call?.given[0] as Changes | undefined)?.settle

describe("a job that fails", () => {
  it.scoped("waits for its next try, is counted for its lane and frees its slot", () =>
    Effect.gen(function* () {
      const { callsOf, dispatcher, end, start } = yield* dispatching(committing, { concurrency: 1, perSubject: 1 })
      const before = counted("parley_job_failures_total", "calls")
      yield* start(jobOf(1))
      expect(dispatcher.claimRequest("calls")).toBeNull()
      yield* end(jobOf(1), Exit.fail(new StorageUnavailable({ cause: "cut off" })))
      expect(counted("parley_job_failures_total", "calls")).toBe(before + 1)
      expect(dispatcher.claimRequest("calls")).not.toBeNull()
      expect(settleOf(callsOf("commit")[0])).toMatchObject({
        ...leaseOf(jobOf(1)),
        again: { lane: "calls", failure: { count: 1, lane: "calls" } }
      })
    })
  )
  it.scoped("by a defect is counted too, and one that succeeds is not", () =>
    Effect.gen(function* () {
      const { callsOf, end, start } = yield* dispatching(committing)
      const before = counted("parley_job_failures_total")
      yield* start(jobOf(1), jobOf(2))
      yield* end(jobOf(1), Exit.die("broken"))
      yield* end(jobOf(2))
      expect(counted("parley_job_failures_total")).toBe(before + 1)
      expect(callsOf("commit")).toHaveLength(1)
    })
  )
  it.scoped("is parked after its last failure, and counted once", () =>
    Effect.gen(function* () {
      const { callsOf, end, start } = yield* dispatching(committing, { concurrency: 8, perSubject: 4 })
      const before = counted("parley_jobs_parked_total", "calls")
      const failure = { lane: "calls" as const, count: maxFailures - 1, since: 5, error: "broken" }
      yield* start(jobOf(1), jobOf(2, { failure }))
      yield* end(jobOf(1), Exit.die("broken"))
      expect(counted("parley_jobs_parked_total", "calls")).toBe(before)
      yield* end(jobOf(2), Exit.die("broken"))
      expect(counted("parley_jobs_parked_total", "calls")).toBe(before + 1)
      expect(settleOf(callsOf("commit")[1])?.again?.lane).toBe("parked")
    })
  )
  it.scoped("keeps its lease if the failure cannot be stored", () =>
    Effect.gen(function* () {
      const away = { ...nothingGone, commit: [new StorageUnavailable({ cause: "cut off" })] }
      const { dispatcher, end, start } = yield* dispatching(away, { concurrency: 1, perSubject: 1 })
      yield* start(jobOf(1))
      yield* end(jobOf(1), Exit.die("broken"))
      expect(dispatcher.claimRequest("calls")).not.toBeNull()
    })
  )
})

describe("leases", () => {
  it.scoped("are renewed every five seconds to fifteen seconds while their jobs run", () =>
    Effect.gen(function* () {
      const { callsOf, end, start } = yield* dispatching(nothingGone)
      yield* start(jobOf(1), jobOf(2))
      yield* TestClock.adjust(5 * second - 1)
      expect(callsOf("renewLeases")).toEqual([])
      yield* TestClock.adjust(1)
      yield* end(jobOf(1))
      yield* TestClock.adjust(5 * second)
      expect(callsOf("renewLeases").map(({ given }) => given)).toEqual([
        [[leaseOf(jobOf(1)), leaseOf(jobOf(2))], 20 * second],
        [[leaseOf(jobOf(2))], 25 * second]
      ])
    })
  )
  it.scoped("are not renewed while no job runs, and again once one does", () =>
    Effect.gen(function* () {
      const { callsOf, end, start } = yield* dispatching(nothingGone)
      yield* TestClock.adjust(60 * second)
      yield* start(jobOf(1, { leaseUntil: 75 * second }))
      yield* end(jobOf(1))
      yield* TestClock.adjust(60 * second)
      expect(callsOf("renewLeases")).toEqual([])
      yield* start(jobOf(2, { leaseUntil: 135 * second }))
      yield* TestClock.adjust(5 * second)
      expect(callsOf("renewLeases")).toHaveLength(1)
    })
  )
  it.scoped("are renewed again after a renewal that failed", () =>
    Effect.gen(function* () {
      const { callsOf, start } = yield* dispatching({
        renewLeases: [new StorageUnavailable({ cause: "cut off" }), Effect.succeed([])]
      })
      yield* start(jobOf(1))
      yield* TestClock.adjust(10 * second)
      expect(callsOf("renewLeases")).toHaveLength(2)
    })
  )
  it.scoped("are counted as lost if the job still runs at the next renewal", () =>
    Effect.gen(function* () {
      const gone = [leaseOf(jobOf(1)), leaseOf(jobOf(2)), leaseOf(jobOf(3)), leaseOf(jobOf(4)), leaseOf(jobOf(5))]
      const { end, start } = yield* dispatching({
        renewLeases: (leases) =>
          Effect.succeed(
            gone.filter(({ epoch, jobId }) => leases.some((one) => one.jobId === jobId && one.epoch === epoch))
          )
      })
      const before = counted("parley_leases_lost_total")
      yield* start(jobOf(1), jobOf(2), jobOf(3), jobOf(4), jobOf(5))
      yield* TestClock.adjust(5 * second)
      expect(counted("parley_leases_lost_total")).toBe(before)
      // One job ended, one was claimed again.
      yield* end(jobOf(2))
      yield* end(jobOf(3))
      yield* start(jobOf(3, { epoch: 33 }))
      yield* TestClock.adjust(5 * second)
      expect(counted("parley_leases_lost_total")).toBe(before + 3)
      yield* TestClock.adjust(5 * second)
      expect(counted("parley_leases_lost_total")).toBe(before + 3)
    })
  )
})

const losses = () =>
  Object.fromEntries(leaseLosses.map((reason) => [reason, counted("parley_leases_lost_total", undefined, reason)]))

describe("a lease that is missing at two renewals", () => {
  it.scoped("was replaced if it had not ended", () =>
    Effect.gen(function* () {
      const gone = Effect.succeed([leaseOf(jobOf(1))])
      const { start } = yield* dispatching({ renewLeases: [gone, gone, gone] })
      const before = losses()
      yield* start(jobOf(1))
      yield* TestClock.adjust(15 * second)
      expect(losses()).toEqual({ ...before, replaced: (before.replaced ?? 0) + 1 })
    })
  )
  it.scoped("was stolen if it had ended", () =>
    Effect.gen(function* () {
      const gone = Effect.succeed([leaseOf(jobOf(1))])
      const { start } = yield* dispatching({
        renewLeases: [new StorageUnavailable({ cause: "cut off" }), gone, gone]
      })
      const before = losses()
      yield* start(jobOf(1, { leaseUntil: 10 * second }))
      yield* TestClock.adjust(15 * second)
      expect(losses()).toEqual({ ...before, stolen: (before.stolen ?? 0) + 1 })
    })
  )
})

describe("a lease that ended and is renewed", () => {
  it.scoped("was stalled, once for each job", () =>
    Effect.gen(function* () {
      const { start } = yield* dispatching(nothingGone)
      const before = losses()
      yield* start(jobOf(1, { leaseUntil: 5 * second }), jobOf(2, { leaseUntil: 5 * second + 1 }))
      yield* TestClock.adjust(5 * second)
      expect(losses()).toEqual({ ...before, stalled: (before.stalled ?? 0) + 1 })
      yield* TestClock.adjust(20 * second)
      expect(losses()).toEqual({ ...before, stalled: (before.stalled ?? 0) + 1 })
    })
  )
})

describe("a job that runs twice after its lease ended", () => {
  it.scoped("has its second lease renewed after the end of the first run", () =>
    Effect.gen(function* () {
      const { callsOf, end, start } = yield* dispatching(nothingGone)
      yield* start(jobOf(1))
      const endFirst = yield* Effect.fork(end(jobOf(1)))
      yield* start(jobOf(1, { epoch: 9 }))
      yield* Fiber.join(endFirst)
      yield* TestClock.adjust(5 * second)
      expect(callsOf("renewLeases").map(({ given }) => given[0])).toEqual([[leaseOf(jobOf(1, { epoch: 9 }))]])
    })
  )
})

describe("a shutdown", () => {
  it.scoped("waits for running jobs and releases no finished job", () =>
    Effect.gen(function* () {
      const { calls, end, shutDown, start, stopped } = yield* dispatching({})
      yield* start(jobOf(1))
      const closing = yield* shutDown
      yield* settled
      expect(closing.unsafePoll()).toBeNull()
      yield* end(jobOf(1))
      yield* Fiber.join(closing)
      expect(stopped).toEqual([])
      expect(calls).toEqual([])
    })
  )
  it.scoped("interrupts and releases jobs after ten seconds", () =>
    Effect.gen(function* () {
      const { callsOf, shutDown, start, stopped } = yield* dispatching({
        ...nothingGone,
        releaseLeases: [Effect.void]
      })
      yield* start(jobOf(1), jobOf(2, { lane: "sends" }))
      const closing = yield* shutDown
      yield* TestClock.adjust(10 * second - 1)
      expect(stopped).toEqual([])
      expect(closing.unsafePoll()).toBeNull()
      yield* TestClock.adjust(1)
      yield* Fiber.join(closing)
      expect(stopped).toEqual([id(1), id(2)])
      expect(callsOf("releaseLeases").map(({ given }) => given)).toEqual([[[leaseOf(jobOf(1)), leaseOf(jobOf(2))]]])
    })
  )
  it.scoped("ends even if the leases cannot be released", () =>
    Effect.gen(function* () {
      const { shutDown, start } = yield* dispatching({
        ...nothingGone,
        releaseLeases: [new StorageUnavailable({ cause: "cut off" })]
      })
      yield* start(jobOf(1))
      const closing = yield* shutDown
      yield* TestClock.adjust(10 * second)
      expect(yield* Fiber.await(closing)).toEqual(Exit.void)
    })
  )
})

describe("the jobs of a claim", () => {
  const jobs = [jobOf(1), jobOf(2), jobOf(3, { lane: "runs" })]
  const claimedOf = (handler: (work: (job: Job) => Handlers.Run) => Handlers.Handlers[Lane], script: Script) =>
    Effect.gen(function* () {
      const all = yield* dispatching(script, undefined, undefined, handler)
      yield* Effect.zipRight(all.dispatcher.startClaimed([], jobs), settled)
      return all
    })
  it.scoped("are handed to their lane's handler together, and end one by one", () =>
    Effect.gen(function* () {
      const handed: Array<ReadonlyArray<string>> = []
      const { begun, dispatcher, end } = yield* claimedOf(
        (work) => (given) =>
          Effect.zipRight(
            Effect.yieldNow(),
            Effect.sync(() => {
              handed.push(given.map(({ id }) => id))
              return given.map(work)
            })
          ),
        nothingGone
      )
      expect(handed).toEqual([[id(1), id(2)], [id(3)]])
      expect(begun).toEqual([id(1), id(2), id(3)])
      yield* end(jobs[1] as Job)
      expect(dispatcher.claimRequest("calls")).toMatchObject({ except: [] })
      yield* end(jobs[0] as Job)
      expect(yield* leaseIn(dispatcher, "calls")).not.toBeNull()
    })
  )
  it.scoped("all fail if the handler fails", () =>
    Effect.gen(function* () {
      const { begun, callsOf } = yield* claimedOf(() => () => new StorageUnavailable({ cause: "cut off" }), {
        ...nothingGone,
        commit: () => Effect.succeed(CommitOutcome.Committed({ bumped: [] }))
      })
      expect(begun).toEqual([])
      const settles = callsOf("commit").map(({ given }) => (given[0] as Changes).settle)
      expect(settles.map((settle) => settle?.jobId)).toEqual([id(1), id(2), id(3)])
      expect(settles.every((settle) => settle?.again !== null)).toBe(true)
    })
  )
  it.scoped("run although the handler dies of one of them", () =>
    Effect.gen(function* () {
      const { begun, callsOf } = yield* claimedOf(
        (work) => (given) =>
          Effect.suspend(() =>
            given.some((job) => job.id === id(1)) ? Effect.die("unreadable") : Effect.succeed(given.map(work))
          ),
        { ...nothingGone, commit: () => Effect.succeed(CommitOutcome.Committed({ bumped: [] })) }
      )
      expect(begun).toEqual([id(3), id(2)])
      expect(callsOf("commit").map(({ given }) => (given[0] as Changes).settle?.jobId)).toEqual([id(1)])
    })
  )
  it.scoped("are released at shutdown while the handler loads", () =>
    Effect.gen(function* () {
      const { callsOf, shutDown } = yield* claimedOf(() => () => Effect.never, {
        ...nothingGone,
        releaseLeases: () => Effect.void
      })
      const closing = yield* shutDown
      yield* TestClock.adjust(10 * second)
      yield* Fiber.join(closing)
      expect(callsOf("releaseLeases").map(({ given }) => given[0])).toEqual([jobs.map(leaseOf)])
    })
  )
})

const claimOfCalls = { lane: "calls", limit: 2, perSubject: 2, except: [] } as const
/** What a claim of `calls` with bounds and with room for two jobs found. */
const claimed = ({ dispatcher }: { readonly dispatcher: Dispatcher.Dispatcher }, ...jobs: ReadonlyArray<Job>) =>
  Effect.zipRight(dispatcher.startClaimed([{ ...claimOfCalls, dueFrom: 0 }], jobs), settled)
const unleased = (n: number, more: Partial<Job> = {}) => jobOf(n, { leaseUntil: 0, runAt: 0, attempts: 0, ...more })

describe("an inserted job", () => {
  it.scoped("is reserved for this process while the worker serves its lane", () =>
    Effect.gen(function* () {
      const all = yield* dispatching(nothingGone)
      expect(all.started.starter).toBeNull()
      const scope = yield* Scope.make()
      yield* Scope.extend(all.dispatcher.enableStartAfterCommit(["calls"]), scope)
      yield* claimed(all)
      expect(all.started.starter?.reserve(unleased(1))).toEqual(
        unleased(1, { leaseOwner: all.dispatcher.owner, leaseUntil: 15 * second, attempts: 1 })
      )
      expect(all.started.starter?.reserve(unleased(2, { lane: "runs" }))).toBeNull()
      yield* Scope.close(scope, Exit.void)
      expect(all.started.starter).toBeNull()
    })
  )
  const serving = (isCertain?: () => boolean) =>
    Effect.gen(function* () {
      // Four new jobs of a subject: the fourth begins when half of its places are taken.
      const all = yield* dispatching(nothingGone, { concurrency: 8, perSubject: 6 }, isCertain)
      yield* all.dispatcher.enableStartAfterCommit(lanes)
      const reserve = (job: Job) => all.started.starter?.reserve(job) ?? null
      return { ...all, reserve }
    })
  it.scoped("is left to claims until one found fewer jobs than its limit", () =>
    Effect.gen(function* () {
      const all = yield* serving()
      expect(all.reserve(unleased(1))).toBeNull()
      yield* claimed(all, jobOf(2, { subject: "a" }), jobOf(3, { subject: "b" }))
      expect(all.reserve(unleased(1))).toBeNull()
      yield* claimed(all, jobOf(4, { subject: "a" }))
      expect(all.reserve(unleased(1))).not.toBeNull()
    })
  )
  it.scoped("is left to claims after a claim without bounds, which may have read another subject's jobs only", () =>
    Effect.gen(function* () {
      let isCertain = false
      const all = yield* serving(() => isCertain)
      yield* claimed(all)
      expect(all.reserve(unleased(1))).toBeNull()
      isCertain = true
      yield* all.dispatcher.startClaimed([claimOfCalls], [])
      expect(all.reserve(unleased(2))).toBeNull()
      yield* claimed(all)
      expect(all.reserve(unleased(2))).not.toBeNull()
    })
  )
  it.scoped("is left to claims after a first claim without bounds that found another subject's jobs", () =>
    Effect.gen(function* () {
      const all = yield* serving(() => true)
      yield* Effect.zipRight(all.dispatcher.startClaimed([claimOfCalls], [jobOf(1, { subject: "other" })]), settled)
      expect(all.reserve(unleased(2))).toBeNull()
      yield* claimed(all)
      expect(all.reserve(unleased(3, { subject: "third" }))).not.toBeNull()
    })
  )
  it.scoped("is left to claims if it is leased, due later, or the time is uncertain", () =>
    Effect.gen(function* () {
      let isCertain = true
      const all = yield* serving(() => isCertain)
      yield* claimed(all)
      for (const leaseUntil of [0, 1]) expect(all.reserve(unleased(1, { leaseOwner: "us", leaseUntil }))).toBeNull()
      expect(all.reserve(unleased(1, { runAt: 1 }))).toBeNull()
      isCertain = false
      expect(all.reserve(unleased(1))).toBeNull()
      isCertain = true
      // Its subject has a job to claim now.
      expect(all.reserve(unleased(2))).toBeNull()
      expect(all.reserve(unleased(2, { subject: "other" }))).not.toBeNull()
    })
  )
  it.scoped("takes the place of its subject until it is released, and its subject waits for a claim then", () =>
    Effect.gen(function* () {
      const all = yield* serving()
      yield* claimed(all)
      const reserved = [1, 2, 3, 4].map((n) => all.reserve(unleased(n)))
      expect(reserved).not.toContain(null)
      expect(all.reserve(unleased(5))).toBeNull()
      all.started.starter?.release(reserved[0] as Job)
      expect(all.reserve(unleased(6))).toBeNull()
      yield* claimed(all)
      expect(all.reserve(unleased(6))).not.toBeNull()
    })
  )
  it.scoped("takes a place of its lane, but for those of a claim", () =>
    Effect.gen(function* () {
      const all = yield* serving()
      yield* claimed(all)
      for (let n = 0; n < 6; n++) expect(all.reserve(unleased(n, { subject: `subject ${n}` }))).not.toBeNull()
      expect(all.reserve(unleased(9, { subject: "subject 9" }))).toBeNull()
    })
  )
  it.scoped("runs once it is started, and frees its place at the end", () =>
    Effect.gen(function* () {
      const all = yield* serving()
      yield* claimed(all)
      const reserved = [1, 2, 3, 4].map((n) => all.reserve(unleased(n)) as Job)
      yield* all.started.starter?.start(reserved) ?? Effect.void
      yield* settled
      expect(all.begun).toEqual(reserved.map(({ id }) => id))
      yield* all.end(reserved[0] as Job)
      expect(all.reserve(unleased(5))).not.toBeNull()
    })
  )
  it.scoped("counts no attempt before its call if it is a send", () =>
    Effect.gen(function* () {
      const all = yield* serving()
      yield* all.dispatcher.startClaimed([{ lane: "sends", limit: 2, perSubject: 2, except: [] }], [])
      expect(all.reserve(unleased(1, { lane: "sends" }))).toMatchObject({ attempts: 0, leaseUntil: 15 * second })
    })
  )
  it.scoped("is left to a claim if its lease ended during its commit", () =>
    Effect.gen(function* () {
      const all = yield* serving()
      yield* claimed(all)
      const late = [1, 2, 3].map((n) => all.reserve(unleased(n)) as Job)
      yield* TestClock.adjust(15 * second)
      const inTime = all.reserve(unleased(4)) as Job
      yield* all.started.starter?.start([...late, inTime]) ?? Effect.void
      yield* settled
      expect(all.begun).toEqual([inTime.id])
      yield* claimed(all)
      expect([5, 6, 7, 8].map((n) => all.reserve(unleased(n)) !== null)).toEqual([true, true, true, false])
    })
  )
  it.scoped("of a subject that fills its share with slow jobs is left to claims", () =>
    Effect.gen(function* () {
      const all = yield* dispatching(nothingGone, { concurrency: 16, perSubject: 2, maxSlow: 5 })
      yield* all.dispatcher.enableStartAfterCommit(lanes)
      yield* claimed(all)
      const reserve = (job: Job) => all.started.starter?.reserve(job) ?? null
      yield* all.start(jobOf(1, { subject: "hangs" }), jobOf(2, { subject: "hangs too" }))
      yield* TestClock.adjust(2 * second)
      expect(reserve(unleased(3, { subject: "hangs" }))).toBeNull()
      expect(reserve(unleased(4, { subject: "works" }))).not.toBeNull()
    })
  )
})
