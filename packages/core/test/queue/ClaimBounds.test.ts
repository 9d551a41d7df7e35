import { aJob } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { second } from "../../src/model/Instant.js"
import type { Job, Lane } from "../../src/model/Job.js"
import { type ClaimBounds, makeClaimBounds } from "../../src/queue/ClaimBounds.js"
import { claimedByLane, type LaneClaim } from "../../src/queue/claimedByLane.js"

type Found = Parameters<ClaimBounds["raise"]>[2]

const start = 1_000 * second
const request = (more: Partial<LaneClaim> = {}): LaneClaim => ({
  lane: "runs",
  limit: 2,
  perSubject: 2,
  except: [],
  ...more
})
const job = (subject: string, runAt: number, lane: Lane = "runs") => aJob({ id: subject, lane, subject, runAt })
const clearedTo = (time: number, lane: Lane = "runs") => new Map([[lane, time]])

/** What a claim is given and finds, and when. */
type Step = Partial<Found> & {
  readonly given?: LaneClaim
  readonly at?: number
  readonly jobs?: ReadonlyArray<Job>
}

/** Claims in a row, the first at `start`, each with what it found; returns the requests and what `raise` returned. */
const claims = (...steps: ReadonlyArray<Step>) => {
  const bounds = makeClaimBounds()
  return steps.map(({ at, given = request(), jobs = [], ...found }, n) => {
    const now = start + (at ?? n)
    const [bounded] = bounds.bounded([given], now)
    const leftOut = bounds.raise(claimedByLane([bounded as LaneClaim], jobs), now, { durationMs: 1, ...found })
    return { ...(bounded as LaneClaim), leftOut }
  })
}
const below = (bound: number) => bound - 3 * second

describe("the bound of a lane's claims", () => {
  it("is absent in the first claim, then three seconds below the time to which the lane was cleared", () => {
    expect(claims({ clearedTo: clearedTo(start) }, {})).toEqual([
      { ...request(), leftOut: false },
      { ...request(), dueFrom: below(start), behind: [], leftOut: false }
    ])
  })
  it("does not fall, nor rise above the time of the claim", () => {
    const found = claims({ clearedTo: clearedTo(start + 99) }, { clearedTo: clearedTo(start - 9_000) }, {})
    expect(found.map(({ dueFrom }) => dueFrom)).toEqual([undefined, below(start), below(start)])
  })
  it("is zero while the adapter clears nothing", () => {
    expect(claims({}, {})[1]?.dueFrom).toBe(0)
  })
  it("is absent every five seconds, or less often after slow claims without bounds", () => {
    const isSweep = (...steps: ReadonlyArray<readonly [at: number, durationMs: number]>) =>
      claims(...steps.map(([at, durationMs]) => ({ at: at * second, durationMs, clearedTo: clearedTo(start) }))).map(
        ({ dueFrom }) => dueFrom === undefined
      )
    expect(isSweep([0, 1], [4.999, 1], [5, 1])).toEqual([true, false, true])
    expect(isSweep([0, 150], [7.499, 1], [7.5, 1])).toEqual([true, false, true])
    // A single slow one at most doubles the interval.
    expect(isSweep([0, 9_000], [9.999, 1], [10, 9_000])).toEqual([true, false, true])
    expect(isSweep([0, 9_000], [10, 9_000], [29.999, 1], [30, 1])).toEqual([true, true, false, true])
    expect(isSweep([0, 9_000], [10, 1], [15, 1])).toEqual([true, true, true])
  })
  it("is absent later also after slow claims that read a subject from the low end", () => {
    const at = 5 * second
    const isSweep = (last: number) => {
      const found = claims(
        { clearedTo: clearedTo(start) },
        { at, given: request({ except: ["busy"] }) },
        { at, durationMs: 150 },
        { at: last }
      )
      return found[3]?.dueFrom === undefined
    }
    expect([isSweep(at + 7.549 * second), isSweep(at + 7.55 * second)]).toEqual([false, true])
  })
  it("is absent again after a full claim that found a job below it", () => {
    const old = [job("one", start - 60 * second), job("two", start)]
    const found = claims(
      { clearedTo: clearedTo(start) },
      { at: 5 * second, jobs: old },
      { at: 5 * second, jobs: old.slice(0, 1) },
      { at: 5 * second }
    )
    expect(found.map(({ dueFrom }) => dueFrom)).toEqual([undefined, undefined, undefined, below(start)])
  })
  it("is there again after a full claim that found no job below it", () => {
    const recent = [job("one", start - 3 * second), job("two", start)]
    const found = claims({ clearedTo: clearedTo(start) }, { at: 5 * second, jobs: recent }, { at: 5 * second })
    expect(found.map(({ dueFrom }) => dueFrom)).toEqual([undefined, undefined, below(start)])
  })
  it("does not delay the next claim without bounds by slow ones that had bounds", () => {
    const slow = { at: second, durationMs: 9_000 }
    const isSweep = (...steps: ReadonlyArray<Step>) =>
      claims(...steps, { at: 5 * second }).at(-1)?.dueFrom === undefined
    // A subject behind with a bound of its own.
    const busy = request({ except: ["busy"] })
    expect(isSweep({ clearedTo: clearedTo(start) }, { given: busy }, slow)).toBe(true)
    // All have the bound zero: the adapter clears nothing.
    expect(isSweep({}, { given: busy }, slow)).toBe(true)
  })
  it("is neither given to a claim of named subjects nor raised by it", () => {
    const named = request({ only: ["one"] })
    const found = claims({ clearedTo: clearedTo(start) }, { given: named, clearedTo: clearedTo(start + 1) }, {})
    expect(found[1]).toEqual({ ...named, leftOut: false })
    expect(found[2]?.dueFrom).toBe(below(start))
    expect(claims({ given: named }, {})[1]?.dueFrom).toBeUndefined()
  })
  it("does not delay the next claim without bounds by one that had bounds", () => {
    const found = claims({ at: 0 }, { at: 4 * second }, { at: 5 * second })
    expect(found.map(({ dueFrom }) => dueFrom)).toEqual([undefined, 0, undefined])
  })
  it("is absent and forgotten after the clock was set back", () => {
    const cleared = { clearedTo: clearedTo(start) }
    const given = request({ except: ["busy"] })
    const found = claims({ ...cleared, given }, { at: -60 * second }, { at: -59 * second })
    expect(found[1]).toEqual({ ...request(), leftOut: false })
    expect(found[2]).toMatchObject({ dueFrom: 0, behind: [] })
  })
  it("stays while the clock stands still", () => {
    expect(claims({ clearedTo: clearedTo(start) }, { at: 0 })[1]?.dueFrom).toBe(below(start))
  })
  it("is separate for each lane", () => {
    const bounds = makeClaimBounds()
    bounds.bounded([request()], start)
    bounds.raise(claimedByLane([request()], []), start, { clearedTo: clearedTo(start), durationMs: 1 })
    const later = bounds.bounded([request(), request({ lane: "calls" })], start + 1)
    expect(later.map(({ dueFrom }) => dueFrom)).toEqual([below(start), undefined])
  })
})

describe("a subject behind", () => {
  const busy = request({ except: ["busy"] })
  const cleared = { clearedTo: clearedTo(start - 10 * second) }
  const later = { clearedTo: clearedTo(start - 5 * second) }

  it("has the bound that the lane had when it was excluded, also after the lane's rose", () => {
    const found = claims(cleared, { ...later, given: busy }, {})
    expect(found[1]).toMatchObject({ except: ["busy"], behind: [], dueFrom: below(start - 10 * second) })
    expect(found[2]).toMatchObject({
      except: [],
      behind: [{ subject: "busy", dueFrom: below(start - 10 * second) }],
      dueFrom: below(start - 5 * second)
    })
  })
  it("has caught up after a claim with bounds that was not full", () => {
    expect(claims(cleared, { ...later, given: busy }, {}, {})[3]?.behind).toEqual([])
  })
  it("is excluded from a claim without bounds, since its jobs could be all that the claim reads", () => {
    const found = claims({ ...cleared, given: busy }, {}, { ...later, given: busy }, { at: 5_000 }, { at: 5_000 })
    expect(found[3]).toEqual({ ...request({ except: ["busy"] }), leftOut: true })
    expect(found[4]).toMatchObject({ except: [], behind: [{ subject: "busy", dueFrom: below(start - 10 * second) }] })
  })
  it("is read from the low end after a claim without bounds in which it had no capacity", () => {
    const found = claims(cleared, { ...later, given: busy }, { given: busy, at: 5 * second }, { at: 5 * second })
    expect(found[2]).toEqual({ ...busy, leftOut: false })
    expect(found[3]?.behind).toEqual([{ subject: "busy", dueFrom: 0 }])
  })
  it("is one that reached its limit in a claim, from its last claimed job on", () => {
    const jobs = [job("full", start - 90 * second), job("full", start - 80 * second), job("other", start)]
    const given = request({ limit: 4 })
    expect(claims({ given, jobs }, {})[1]?.behind).toEqual([{ subject: "full", dueFrom: below(start - 80 * second) }])
  })
  it("is not one that reached its limit in another lane", () => {
    const jobs = [job("full", start, "calls"), job("full", start, "calls")]
    expect(claims({ jobs }, {})[1]?.behind).toEqual([])
  })
  it("keeps its bound in a full claim, or has that of its last claimed job", () => {
    const given = request({ except: ["busy", "quiet"] })
    const jobs = [job("busy", start - 7 * second), job("other", start - 6 * second)]
    expect(claims({ ...cleared, given }, { jobs }, {})[2]?.behind).toEqual([
      { subject: "quiet", dueFrom: 0 },
      { subject: "busy", dueFrom: below(start - 7 * second) }
    ])
  })
  it("is left out while more subjects than the limit of the claim have lower bounds", () => {
    const behind = ["one", "two", "three"]
    const found = claims({ given: request({ except: behind }) }, { given: request() }, {}, {})
    expect(found[1]).toMatchObject({ except: ["three"], leftOut: true })
    expect(found[1]?.behind?.map(({ subject }) => subject)).toEqual(["one", "two"])
    expect(found[2]).toMatchObject({ except: [], behind: [{ subject: "three" }], leftOut: false })
    expect(found[3]).toMatchObject({ except: [], behind: [], leftOut: false })
  })
})

/** Claims from a queue in memory as an adapter does. */
const claimFrom = (queue: Array<Job>, { behind = [], dueFrom, except, limit, perSubject }: LaneClaim, now: number) => {
  const due = queue.filter(({ runAt }) => runAt <= now).sort((one, other) => one.runAt - other.runAt)
  const bounds = new Map(behind.map(({ dueFrom, subject }) => [subject, dueFrom]))
  const others = new Set([...except, ...bounds.keys()])
  const heads = due.filter(({ runAt, subject }) => runAt >= (dueFrom ?? 0) && !others.has(subject)).slice(0, 2 * limit)
  const own = due.filter(({ runAt, subject }) => runAt >= (bounds.get(subject) ?? Number.POSITIVE_INFINITY))
  const counts = new Map<string, number>()
  const jobs = [...heads, ...own]
    .sort((one, other) => one.runAt - other.runAt)
    .filter(({ subject }) => {
      counts.set(subject, (counts.get(subject) ?? 0) + 1)
      return (counts.get(subject) ?? 0) <= perSubject
    })
    .slice(0, limit)
  for (const one of jobs) queue.splice(queue.indexOf(one), 1)
  const left = heads.filter((one) => !jobs.includes(one)).map(({ runAt }) => runAt)
  const end = heads.length >= 2 * limit ? (heads.at(-1)?.runAt ?? now) : now
  return { jobs, clearedTo: clearedTo(Math.min(now, end, ...left)) }
}

describe("claims", () => {
  const subjects = ["a", "b", "c", "d"]
  const steps = (maxLateMs: number) =>
    fc.array(
      fc.record({
        wait: fc.nat(900),
        due: fc.array(fc.record({ subject: fc.constantFrom(...subjects), late: fc.nat(maxLateMs) }), { maxLength: 9 }),
        except: fc.subarray(subjects)
      }),
      { maxLength: 40 }
    )
  const makeQueue = () => {
    const bounds = makeClaimBounds()
    const queue: Array<Job> = []
    /** Claims until no more jobs are due, as the worker does. */
    const claimAll = (except: ReadonlyArray<string>, now: number) => {
      let goesOn = true
      while (goesOn) {
        const [bounded] = bounds.bounded([request({ except })], now)
        const found = claimFrom(queue, bounded as LaneClaim, now)
        const leftOut = bounds.raise(claimedByLane([bounded as LaneClaim], found.jobs), now, {
          ...found,
          durationMs: 1
        })
        goesOn = found.jobs.length > 0 || leftOut
      }
    }
    return { queue, claimAll }
  }

  it("leave no due job out that was visible three seconds after its due time", () => {
    fc.assert(
      fc.property(steps(3 * second), (all) => {
        const { claimAll, queue } = makeQueue()
        let now = start
        for (const { due, except, wait } of all) {
          now += wait
          for (const { late, subject } of due) queue.push(job(subject, now - late))
          claimAll(except, now)
          expect(queue.filter(({ runAt, subject }) => runAt <= now && !except.includes(subject))).toEqual([])
        }
      }),
      { numRuns: 500 }
    )
  })
  it("take all jobs of the subjects with capacity within five seconds, however late they appeared", () => {
    fc.assert(
      fc.property(steps(60 * second), fc.nat(40), fc.subarray(subjects), (all, fullFrom, full) => {
        const { claimAll, queue } = makeQueue()
        let now = start
        all.forEach(({ due, except, wait }, n) => {
          now += wait
          for (const { late, subject } of due) queue.push(job(subject, now - late))
          claimAll(n < fullFrom ? except : [...except, ...full], now)
        })
        for (const until = now + 5 * second; now <= until; now += second) claimAll(full, now)
        expect(queue.filter(({ subject }) => !full.includes(subject))).toEqual([])
        claimAll([], now)
        expect(queue).toEqual([])
      }),
      { numRuns: 500 }
    )
  })
})
