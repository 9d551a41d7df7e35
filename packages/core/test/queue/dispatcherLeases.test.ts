import { expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { describe } from "vitest"
import { second } from "../../src/model/Instant.js"
import { StorageUnavailable } from "../../src/ports/Storage.js"
import { leaseLosses } from "../../src/queue/HeldLease.js"
import { counted, dispatching, jobOf, leaseOf, nothingGone } from "./dispatching.js"

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

describe("ended leases of running jobs", () => {
  const dueRenewal = (until: number) => [[leaseOf(jobOf(1)), leaseOf(jobOf(2))], until]

  it.scoped("are renewed with the others before a claim", () =>
    Effect.gen(function* () {
      const { callsOf, dispatcher, start } = yield* dispatching(nothingGone)
      yield* start(jobOf(1, { leaseUntil: 3 * second }), jobOf(2))
      yield* TestClock.adjust(3 * second - 1)
      yield* dispatcher.renewEnded
      expect(callsOf("renewLeases")).toEqual([])
      yield* TestClock.adjust(1)
      yield* dispatcher.renewEnded
      yield* dispatcher.renewEnded
      expect(callsOf("renewLeases").map(({ given }) => given)).toEqual([dueRenewal(18 * second)])
    })
  )
  it.scoped("are not renewed once they are counted as lost", () =>
    Effect.gen(function* () {
      const gone = Effect.succeed([leaseOf(jobOf(1))])
      const { callsOf, dispatcher, start } = yield* dispatching({ renewLeases: [gone, gone] })
      yield* start(jobOf(1, { leaseUntil: second }))
      yield* TestClock.adjust(second)
      for (let i = 0; i < 3; i++) yield* dispatcher.renewEnded
      expect(callsOf("renewLeases")).toHaveLength(2)
    })
  )
  it.scoped("hold up a claim for five seconds at most", () =>
    Effect.gen(function* () {
      const { dispatcher, start } = yield* dispatching({ renewLeases: () => Effect.never })
      yield* start(jobOf(1, { leaseUntil: second }))
      yield* TestClock.adjust(second)
      const renewing = yield* Effect.fork(dispatcher.renewEnded)
      yield* TestClock.adjust(4_999)
      expect(yield* Fiber.poll(renewing)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust(1)
      yield* Fiber.join(renewing)
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
