import { aDelivery, aJob, anApplication, anEndpoint, anEvent, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { type ReplayWorld, replayDelivery } from "../../../src/flows/webhooks/replayDelivery.js"
import { failuresThatDisable } from "../../../src/model/Endpoint.js"
import { agreed, refused } from "../../outcomes.js"

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
  it.each(["failed", "delivered"] as const)("restarts a %s delivery and continues its attempt numbers", (status) => {
    const { changes, result } = agreed(replay({ delivery: { ...delivery, status } }))
    expect(result.delivery).toEqual({ ...delivery, status: "pending", round: 0, completedAt: null, version: 9 })
    expect(result.nextAttemptAt).toBe(someTime)
    expect(changes).toMatchObject({
      expects: [{ table: "deliveries", key: { id: delivery.id }, where: { version: 8 } }],
      sets: [
        { table: "deliveries", key: { id: delivery.id }, values: { status: "pending", round: 0, completedAt: null } }
      ],
      ensures: [{ table: "jobs", row: { id: delivery.id, lane: "retries", runAt: someTime } }],
      deletes: []
    })
  })
  it("replaces the job of a waiting delivery with one that is due now", () => {
    const { changes } = agreed(replay({ delivery: { ...delivery, status: "pending", round: 3 }, job }))
    expect(changes?.deletes).toEqual([{ table: "jobs", key: { id: job.id } }])
    expect(changes?.expects).toContainEqual({
      table: "jobs",
      key: { id: job.id },
      where: { epoch: job.epoch, leaseUntil: job.leaseUntil }
    })
    expect(changes?.ensures).toMatchObject([{ row: { id: delivery.id, runAt: someTime } }])
  })
  it("counts a running attempt as the replay", () => {
    const waiting = { ...delivery, status: "pending" as const }
    const ended = agreed(replay({ delivery: waiting, job: { ...job, leaseUntil: someTime } }))
    expect(ended.changes?.deletes).toHaveLength(1)
    const decision = agreed(replay({ delivery: waiting, job: { ...job, leaseUntil: someTime + 1 } }))
    expect(decision).toMatchObject({ changes: null, result: { delivery: waiting } })
  })
  it("does not delete a leased job", () => {
    const { changes } = agreed(replay({ job: { ...job, leaseUntil: someTime + 1 } }))
    expect(changes?.deletes).toEqual([])
  })
  it.each([
    ["the event is purged", { event: undefined }, "no longer kept"],
    ["the endpoint is deleted", { endpoint: { ...endpoint, status: "deleted" as const } }, "deleted"],
    ["the endpoint is disabled", { endpoint: { ...endpoint, status: "disabled" as const } }, "enable it first"],
    ["it failed too often", { endpoint: { ...endpoint, consecutiveFailures: failuresThatDisable } }, "enable it first"],
    ["the application is suspended", { application: { ...application, status: "suspended" as const } }, "suspended"]
  ])("is refused if %s", (_, more, text) => {
    const { code, message } = refused(replay(more))
    expect([code, message]).toEqual(["invalid_transition", expect.stringContaining(text)])
  })
  it("is refused without the scope, and for an unknown delivery", () => {
    expect(refused(replay({ application: { ...application, scopes: [] } })).code).toBe("forbidden")
    expect(refused(replay({ delivery: undefined })).code).toBe("not_found")
  })
})
