import { aJob } from "@parley/testkit/rows"
import { expect, it } from "vitest"
import { defaultSettings } from "../../src/kernel/EngineSettings.js"
import { makeLaneCapacity } from "../../src/queue/LaneCapacity.js"

it("claims nothing for a lane without concurrency", () => {
  const lanes = { ...defaultSettings.lanes, sends: { concurrency: 0, perSubject: 0 } }
  const capacity = makeLaneCapacity(lanes, new Map(), () => 0)
  expect(capacity.claimRequest("sends")).toBeNull()
  expect(capacity.claimRequest("deliveries")?.limit).toBeGreaterThan(0)
})

it("starts new jobs of a subject up to its cap in a lane without later jobs, and up to half of it in others", () => {
  const limits = { concurrency: 40, perSubject: 4 }
  const settings = { ...defaultSettings.lanes, deliveries: limits, runs: limits }
  const startedOf = (lane: "deliveries" | "runs") => {
    const jobOf = (subject: string) => aJob({ id: subject, lane, subject })
    const capacity = makeLaneCapacity(settings, new Map(), () => 0)
    let started = 0
    while (started < 10 && capacity.takesNew(jobOf("one"), false)) {
      capacity.add(jobOf("one"))
      started++
    }
    expect(capacity.takesNew(jobOf("other"), false)).toBe(true)
    return started
  }
  expect([startedOf("deliveries"), startedOf("runs")]).toEqual([4, 3])
})
