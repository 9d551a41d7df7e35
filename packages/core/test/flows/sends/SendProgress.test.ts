import { aJob } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { progressOf, settledProgress } from "../../../src/flows/sends/SendProgress.js"

const begun = {
  to: "+1",
  settled: 0,
  tries: 0,
  held: false,
  mayHaveArrived: false,
  moves: 0,
  failingSince: null,
  reason: null,
  slot: null,
  recipientSlot: null
}

describe("the progress of a send", () => {
  it("of a new job has its recipient only", () => {
    expect(progressOf({ payload: { to: "+1" } })).toEqual(begun)
  })
  it("continues from the stored payload", () => {
    const stored = {
      ...begun,
      settled: 3,
      tries: 2,
      held: true,
      mayHaveArrived: true,
      moves: 1,
      failingSince: 5,
      reason: "x",
      slot: 6,
      recipientSlot: 7
    }
    expect(progressOf({ payload: stored })).toEqual(stored)
  })
  it("is not read from the payload of another lane", () => {
    expect(() => progressOf({ payload: { eventId: "e", applicationId: "a" } })).toThrow()
    expect(() => progressOf({ payload: { to: "+1", tries: "two" } })).toThrow()
  })
  it("after a claim with a known outcome has the number of that claim", () => {
    const job = aJob({ id: "01900000-0000-7000-8000-0000000000bb", attempts: 4, payload: { to: "+1", settled: 2 } })
    expect(settledProgress(job, { tries: 3 })).toEqual({ ...begun, tries: 3, settled: 4 })
    expect(settledProgress(job, progressOf(job))).toEqual({ ...begun, settled: 4 })
  })
})
