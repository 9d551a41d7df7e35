import { aDelivery, aJob, anApplication, anEndpoint, anEvent, someTime } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { type ReplayWorld, replayDelivery } from "../../src/admin/deliveries/replayDelivery.js"
import { failuresThatDisable } from "../../src/webhooks/Endpoint.js"
import { agreed, refused } from "./outcomes.js"

const application = anApplication({ scopes: ["webhooks.receive"] })
const endpoint = anEndpoint({ applicationId: application.id })
const event = anEvent({ id: "01900000-0000-7000-8000-0000000000a1" })
const delivery = aDelivery({
  id: "01900000-0000-7000-8000-0000000000f1",
  eventId: event.id,
  status: "failed",
  attempts: 7,
  round: 7,
  completedAt: someTime - 1,
  version: 8
})
const world: ReplayWorld = { application, delivery, endpoint, event, job: undefined }
const replay = (more: Partial<ReplayWorld>) => replayDelivery({ ...world, ...more }, someTime)
const job = aJob({ id: delivery.id, lane: "retries", runAt: someTime + 60_000, epoch: 5 })

describe("a replay", () => {
  it.each(["failed", "delivered"] as const)("sends a %s delivery again, its attempts counted on", (status) => {
    const { changes, result } = agreed(replay({ delivery: { ...delivery, status } }))
    expect(result).toEqual({ ...delivery, status: "pending", round: 0, completedAt: null, version: 9 })
    expect(changes).toMatchObject({
      expects: [{ table: "deliveries", where: { version: 8 } }],
      sets: [{ values: { status: "pending", round: 0, completedAt: null } }],
      ensures: [{ table: "jobs", row: { id: delivery.id, lane: "retries", runAt: someTime } }],
      deletes: []
    })
  })
  it("lets a delivery that waits go out now, in place of the job it waits with", () => {
    const { changes } = agreed(replay({ delivery: { ...delivery, status: "pending", round: 3 }, job }))
    expect(changes?.deletes).toEqual([{ table: "jobs", key: { id: job.id } }])
    expect(changes?.expects).toContainEqual({
      table: "jobs",
      key: { id: job.id },
      where: { epoch: job.epoch, leaseUntil: job.leaseUntil }
    })
    expect(changes?.ensures).toMatchObject([{ row: { id: delivery.id, runAt: someTime } }])
  })
  it("is the attempt that is under way", () => {
    const waiting = { ...delivery, status: "pending" as const }
    const decision = agreed(replay({ delivery: waiting, job: { ...job, leaseUntil: someTime + 1 } }))
    expect(decision).toEqual({ changes: null, result: waiting })
  })
  it("leaves a job that is left over to whoever has it", () => {
    const { changes } = agreed(replay({ job: { ...job, leaseUntil: someTime + 1 } }))
    expect(changes?.deletes).toEqual([])
  })
  it.each([
    ["the event is purged", { event: undefined }, "no longer kept"],
    ["the endpoint is deleted", { endpoint: { ...endpoint, status: "deleted" as const } }, "deleted"],
    ["the endpoint is disabled", { endpoint: { ...endpoint, status: "disabled" as const } }, "enable it first"],
    ["it failed too often", { endpoint: { ...endpoint, consecutiveFailures: failuresThatDisable } }, "enable it first"],
    ["the application is suspended", { application: { ...application, status: "suspended" as const } }, "suspended"]
  ])("is refused where %s", (_, more, words) => {
    const { code, message } = refused(replay(more))
    expect([code, message]).toEqual(["invalid_transition", expect.stringContaining(words)])
  })
  it("is refused where the application may not receive, or there is no such delivery", () => {
    expect(refused(replay({ application: { ...application, scopes: [] } })).code).toBe("forbidden")
    expect(refused(replay({ delivery: undefined })).code).toBe("not_found")
  })
})
