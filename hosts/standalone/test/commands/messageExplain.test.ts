import { describe, expect, it } from "vitest"
import { nextSteps, sendingRemedy } from "../../src/commands/messageExplain.js"

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

describe("the remedy for a queued message", () => {
  const remedy = (state: Parameters<typeof sendingRemedy>[0]["state"]) =>
    sendingRemedy({ state, explanation: "", nextAt: null, connectionId: "c", jobId: "j", leaseOwner: null })
  it("of a paused connection is to check and activate it, or to drop the job", () => {
    expect(remedy("connection_inactive")).toBe(
      "parley connection check c; then parley connection update c --status active, or give the message up: parley job drop j"
    )
  })
  it("with a parked job is to retry it", () => {
    expect(remedy("parked")).toBe("parley job retry j")
  })
  it("that may have reached the customer does not exist", () => {
    expect(remedy("outcome_unknown")).toBeNull()
  })
})
