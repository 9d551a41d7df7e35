import { describe, expect, it } from "vitest"
import { nextSteps } from "../../src/commands/messageExplain.js"

type Status = Parameters<typeof nextSteps>[0]

describe("the next steps for a webhook", () => {
  it("are to see the keys for a delivery that waits for one", () => {
    const delivery = { id: "d", status: "pending", attemptCount: 0, waitingFor: "secret_key" } as Status["delivery"]
    const status = { endpointId: "e", status: "active", absence: null, delivery } as Status
    expect(nextSteps(status, "2026-05-04T00:00:00.000Z")).toEqual(["parley secrets status"])
  })
  it("are to retry the parked job of a delivery", () => {
    const delivery = { id: "d", status: "pending", attemptCount: 2, waitingFor: "job_retried" } as Status["delivery"]
    const status = { endpointId: "e", status: "active", absence: null, delivery } as Status
    expect(nextSteps(status, "2026-05-04T00:00:00.000Z")).toEqual(["parley delivery show d", "parley job retry d"])
  })
})
