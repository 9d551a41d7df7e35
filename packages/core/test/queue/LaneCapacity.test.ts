import { expect, it } from "vitest"
import { defaultSettings } from "../../src/kernel/EngineSettings.js"
import { makeLaneCapacity } from "../../src/queue/LaneCapacity.js"

it("claims nothing for a lane without concurrency", () => {
  const lanes = { ...defaultSettings.lanes, sends: { concurrency: 0, perSubject: 0 } }
  const capacity = makeLaneCapacity(lanes, new Map(), () => 0)
  expect(capacity.claimRequest("sends")).toBeNull()
  expect(capacity.claimRequest("deliveries")?.limit).toBeGreaterThan(0)
})
