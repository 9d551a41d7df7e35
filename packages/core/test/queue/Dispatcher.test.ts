import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope, TestClock } from "effect"
import { describe } from "vitest"
import { nextTurn } from "../../src/kernel/nextTurn.js"
import { second } from "../../src/model/Instant.js"
import { type Job, type Lane, lanes } from "../../src/model/Job.js"
import type { Changes } from "../../src/ports/Changes.js"
import { CommitOutcome, StorageUnavailable } from "../../src/ports/Storage.js"
import { claimedByLane } from "../../src/queue/claimedByLane.js"
import * as Dispatcher from "../../src/queue/Dispatcher.js"
import { maxFailures } from "../../src/queue/failJob.js"
import type * as Handlers from "../../src/queue/Handlers.js"
import type { Script } from "../scriptedStorage.js"
import {
  claimed,
  claimOfCalls,
  counted,
  dispatching,
  id,
  jobOf,
  leaseIn,
  leaseOf,
  nothingGone,
  settled,
  subjects,
  unleased
} from "./dispatching.js"

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
      yield* all.dispatcher.startClaimed(claimedByLane([claimOfCalls], []), [])
      expect(all.reserve(unleased(2))).toBeNull()
      yield* claimed(all)
      expect(all.reserve(unleased(2))).not.toBeNull()
    })
  )
  it.scoped("is left to claims after a first claim without bounds that found another subject's jobs", () =>
    Effect.gen(function* () {
      const all = yield* serving(() => true)
      const other = [jobOf(1, { subject: "other" })]
      yield* Effect.zipRight(all.dispatcher.startClaimed(claimedByLane([claimOfCalls], other), other), settled)
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
      yield* all.dispatcher.startClaimed(
        claimedByLane([{ lane: "sends", limit: 2, perSubject: 2, except: [] }], []),
        []
      )
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
  it.scoped("of a subject that was slow lately is left to claims while slow jobs fill their share", () =>
    Effect.gen(function* () {
      const all = yield* dispatching(nothingGone, { concurrency: 16, perSubject: 2, maxSlow: 5 })
      yield* all.dispatcher.enableStartAfterCommit(lanes)
      yield* claimed(all)
      const reserve = (job: Job) => all.started.starter?.reserve(job) ?? null
      const gone = jobOf(1, { subject: "gone" })
      yield* all.start(gone)
      yield* TestClock.adjust(2 * second)
      yield* all.end(gone)
      yield* all.start(jobOf(2, { subject: "hangs" }), jobOf(3, { subject: "hangs too" }))
      yield* TestClock.adjust(2 * second)
      expect(reserve(unleased(4, { subject: "gone" }))).toBeNull()
      expect(reserve(unleased(5, { subject: "works" }))).not.toBeNull()
    })
  )
})
