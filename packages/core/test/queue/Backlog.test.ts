import { aJob } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { makeBacklog } from "../../src/queue/Backlog.js"
import { claimedByLane, type LaneClaim } from "../../src/queue/claimedByLane.js"

const jobs = (...subjects: ReadonlyArray<string>) =>
  subjects.map((subject, n) => aJob({ id: `${n}`, lane: "runs", subject }))
const claim = (more: Partial<LaneClaim> = {}): LaneClaim => ({
  lane: "runs",
  limit: 4,
  perSubject: 2,
  except: [],
  dueFrom: 0,
  ...more
})
const { dueFrom: _, ...withoutBounds } = claim()

/** The subjects with a backlog after claims in a row, of which each has a request and the subjects of its jobs. */
const left = (...claims: ReadonlyArray<readonly [request: LaneClaim, ...subjects: ReadonlyArray<string>]>) => {
  const backlog = makeBacklog()
  for (const [request, ...subjects] of claims) backlog.claimed(claimedByLane([request], jobs(...subjects)))
  return ["a", "b", "c"].filter((subject) => backlog.has("runs", subject))
}
const all = ["a", "b", "c"]

describe("the backlog of a lane", () => {
  it("is that of all subjects until a claim was not full", () => {
    expect(left()).toEqual(all)
    expect(left([claim(), "a", "a", "b", "b"])).toEqual(all)
    expect(left([claim(), "a", "b", "c"])).toEqual([])
  })
  it("is that of the subjects that reached their limit or were excluded", () => {
    expect(left([claim({ except: ["c"] }), "a", "a", "b"])).toEqual(["a", "c"])
  })
  it("is as before after a full claim", () => {
    expect(left([claim(), "a", "a"], [claim(), "b", "b", "c", "c"])).toEqual(["a"])
  })
  it("has no excluded subject that had none before", () => {
    expect(left([claim(), "a", "a"], [claim({ except: ["a", "b"] })])).toEqual(["a"])
    expect(left([claim(), "a", "a"], [claim()])).toEqual([])
  })
  it("stays unknown after a first claim without bounds that found jobs", () => {
    expect(left([withoutBounds, "a"])).toEqual(all)
    expect(left([withoutBounds])).toEqual([])
  })
  it("keeps its subjects in a claim without bounds, which left them out", () => {
    expect(left([claim(), "a", "a"], [withoutBounds, "b", "b"])).toEqual(["a", "b"])
  })
  it("loses the named subjects of a claim that takes no others", () => {
    const before = [claim({ except: ["b"] }), "a", "a"] as const
    expect(left(before, [{ ...withoutBounds, only: ["a"] }])).toEqual(["b"])
    expect(left(before, [{ ...withoutBounds, only: ["a"] }, "a", "a"])).toEqual(["a", "b"])
    expect(left([{ ...withoutBounds, only: ["a"] }, "a"])).toEqual([])
  })
  it("gets subjects once it is known, and is separate for each lane", () => {
    const backlog = makeBacklog()
    backlog.add("runs", "a")
    backlog.claimed(claimedByLane([claim(), claim({ lane: "calls" })], jobs("b", "b")))
    backlog.add("runs", "c")
    expect(all.filter((subject) => backlog.has("runs", subject))).toEqual(["b", "c"])
    expect(all.filter((subject) => backlog.has("calls", subject))).toEqual([])
    expect(backlog.has("sends", "a")).toBe(true)
  })
})
