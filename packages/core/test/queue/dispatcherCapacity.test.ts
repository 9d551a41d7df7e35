import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope, TestClock } from "effect"
import { describe } from "vitest"
import { second } from "../../src/model/Instant.js"
import { type Job, type JobOwner, lanes } from "../../src/model/Job.js"
import {
  claimed,
  dispatching,
  id,
  jobOf,
  leaseIn,
  nothingGone,
  ownerOf,
  settled,
  subjects,
  unleased
} from "./dispatching.js"

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
  it.scoped("records slow subjects only of lanes with a limit for them", () =>
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
  it.scoped("gives new jobs a lease of fifteen seconds, but for the capacity of a claim", () =>
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
  it.scoped("gives no more leases at once than the lane has capacity for new jobs", () =>
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
  it.scoped("gives a workspace no more leases at once than its share has capacity for new jobs", () =>
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
