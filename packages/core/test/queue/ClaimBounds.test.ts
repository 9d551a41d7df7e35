import { aJob } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { second } from "../../src/model/Instant.js"
import type { Job, Lane } from "../../src/model/Job.js"
import { type ClaimBounds, makeClaimBounds } from "../../src/queue/ClaimBounds.js"

type Found = Parameters<ClaimBounds["raise"]>[2]

const start = 1_000 * second
const request = (lane: Lane = "runs", except: ReadonlyArray<string> = []) => ({ lane, limit: 2, perSubject: 2, except })
const jobs = (...runAts: ReadonlyArray<number>): ReadonlyArray<Job> =>
  runAts.map((runAt, n) => aJob({ id: `${n}`, lane: "runs", subject: `${n}`, runAt }))
const nothing: Found = { jobs: [], nextDueAt: Number.POSITIVE_INFINITY, durationMs: 1 }

/** The bound of the lane `runs` at a later claim, after the first claim, which has none, found this. */
const boundAfter = (found: Partial<Found>, first = request(), later = 1) => {
  const bounds = makeClaimBounds()
  expect(bounds.bounded([first], start)).toEqual([first])
  bounds.raise([first], start, { ...nothing, ...found })
  return bounds.bounded([request()], start + later)[0]?.dueFrom
}

describe("the bound of a lane's claims", () => {
  it("is three seconds below the last claim that found nothing due", () => {
    expect(boundAfter({})).toBe(start - 3 * second)
  })
  it("is three seconds below the last job of a claim that was full", () => {
    expect(boundAfter({ jobs: jobs(start - 60 * second, start - 50 * second) })).toBe(start - 53 * second)
  })
  it.each([
    ["the claim was not full and more may be due", { jobs: jobs(start - 60 * second) }, request()],
    ["due jobs are locked by another transaction", { nextDueAt: start - 1 }, request()],
    ["a locked job is due just now", { nextDueAt: start }, request()],
    ["the next due time was not asked for", { nextDueAt: null }, request()],
    ["subjects were excluded", {}, request("runs", ["busy"])],
    [
      "a subject reached its limit",
      { jobs: jobs(start - 9_000, start - 9_000).map((job) => ({ ...job, subject: "same" })) },
      request()
    ]
  ])("is not raised if %s", (_, found, first) => {
    expect(boundAfter(found, first)).toBe(0)
  })
  it("is absent every five seconds, or less often after a slow claim without bounds", () => {
    expect(boundAfter({}, request(), 5 * second - 1)).toBe(start - 3 * second)
    expect(boundAfter({}, request(), 5 * second)).toBeUndefined()
    expect(boundAfter({ durationMs: 400 }, request(), 20 * second - 1)).toBe(start - 3 * second)
    expect(boundAfter({ durationMs: 400 }, request(), 20 * second)).toBeUndefined()
  })
  it("is absent and forgotten after the clock was set back", () => {
    const bounds = makeClaimBounds()
    bounds.bounded([request()], start)
    bounds.raise([request()], start, nothing)
    expect(bounds.bounded([request()], start - 60 * second)).toEqual([request()])
    bounds.raise([request()], start - 60 * second, { ...nothing, nextDueAt: null })
    expect(bounds.bounded([request()], start - 59 * second)[0]?.dueFrom).toBe(0)
  })
  it("stays while the clock stands still", () => {
    expect(boundAfter({}, request(), 0)).toBe(start - 3 * second)
  })
  it("is not raised if one of several subjects reached its limit", () => {
    const three = { ...request(), limit: 3 }
    const [one, two, other] = jobs(start - 9_000, start - 9_000, start - 9_000)
    const found = [one, two, other].map((job, n) => ({ ...(job as Job), subject: n < 2 ? "full" : "other" }))
    expect(boundAfter({ jobs: found }, three)).toBe(0)
  })
  it("is not raised by the jobs of other lanes", () => {
    const others = jobs(start - 9_000, start - 8_000).map((job) => ({ ...job, lane: "calls" as const }))
    expect(boundAfter({ jobs: others })).toBe(0)
  })
  it("does not delay the next claim without bounds by one that had bounds", () => {
    const bounds = makeClaimBounds()
    const claimAt = (now: number) => {
      const bounded = bounds.bounded([request()], now)
      bounds.raise(bounded, now, nothing)
      return bounded[0]?.dueFrom
    }
    expect(claimAt(start)).toBeUndefined()
    expect(claimAt(start + 4 * second)).toBe(start - 3 * second)
    expect(claimAt(start + 5 * second)).toBeUndefined()
  })
  it("is separate for each lane", () => {
    const bounds = makeClaimBounds()
    bounds.bounded([request("runs")], start)
    bounds.raise([request("runs")], start, nothing)
    const later = bounds.bounded([request("runs"), request("calls")], start + 1)
    expect(later.map(({ dueFrom }) => dueFrom)).toEqual([start - 3 * second, 0])
  })
  it("leaves no due job out that was visible three seconds after its due time", () => {
    const step = fc.record({ wait: fc.nat(900), due: fc.array(fc.nat(3_000), { maxLength: 5 }) })
    const scenario = fc.array(step, { maxLength: 40 })
    fc.assert(
      fc.property(scenario, (steps) => {
        const bounds = makeClaimBounds()
        const queue: Array<Job> = []
        let now = start
        for (const { due, wait } of steps) {
          now += wait
          // Each job becomes visible up to three seconds after its due time.
          for (const late of due) {
            queue.push(aJob({ id: `${queue.length}`, lane: "runs", subject: `${queue.length % 3}`, runAt: now - late }))
          }
          let claimed = 1
          while (claimed > 0) {
            const [bounded] = bounds.bounded([request()], now)
            const ready = queue
              .filter(({ runAt }) => runAt <= now && runAt >= (bounded?.dueFrom ?? 0))
              .sort((one, other) => one.runAt - other.runAt)
              .slice(0, 2)
            for (const job of ready) queue.splice(queue.indexOf(job), 1)
            claimed = ready.length
            const nextDueAt = claimed > 0 ? null : Number.POSITIVE_INFINITY
            bounds.raise([request()], now, { jobs: ready, nextDueAt, durationMs: 1 })
          }
          expect(queue.filter(({ runAt }) => runAt <= now)).toEqual([])
        }
      })
    )
  })
})
