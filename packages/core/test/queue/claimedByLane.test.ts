import { aJob } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import type { Lane } from "../../src/model/Job.js"
import { claimedByLane } from "../../src/queue/claimedByLane.js"

const job = (id: string, subject: string, lane: Lane = "runs") => aJob({ id, lane, subject })
const request = { lane: "runs", limit: 3, perSubject: 2, except: [] } as const

describe("the jobs of a claim", () => {
  it("are those of each lane, by subject", () => {
    const [one, two, other] = [job("1", "a"), job("2", "b"), job("3", "a", "calls")]
    const calls = { ...request, lane: "calls" } as const
    expect(claimedByLane([calls, request], [one, two, other])).toEqual([
      { request: calls, jobs: [other], bySubject: { a: [other] }, isFull: false, fullSubjects: new Set() },
      { request, jobs: [one, two], bySubject: { a: [one], b: [two] }, isFull: false, fullSubjects: new Set() }
    ])
  })
  it("fill a lane at its limit, and a subject at its own", () => {
    const [two, three] = [
      [job("1", "a"), job("2", "a")],
      [job("1", "a"), job("2", "b"), job("3", "a")]
    ]
    expect(claimedByLane([request], two)).toMatchObject([{ isFull: false, fullSubjects: new Set(["a"]) }])
    expect(claimedByLane([request], three)).toMatchObject([{ isFull: true, fullSubjects: new Set(["a"]) }])
    expect(claimedByLane([request], [])).toMatchObject([{ isFull: false, fullSubjects: new Set() }])
  })
})
