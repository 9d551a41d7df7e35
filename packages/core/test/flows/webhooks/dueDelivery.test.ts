import { aDelivery, aJob, anApplication, anEndpoint, anEvent, someTime } from "@parley/testkit/rows"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { type DueWorld, dueDelivery } from "../../../src/flows/webhooks/dueDelivery.js"
import { presenceJob } from "../../../src/flows/webhooks/presenceJob.js"
import { failuresThatDisable } from "../../../src/model/Endpoint.js"

const application = anApplication({ scopes: ["webhooks.receive"] })
const endpoint = anEndpoint({ applicationId: application.id, version: 4 })
const event = anEvent({ id: "01900000-0000-7000-8000-0000000000a1", type: "message.sent" })
const delivery = aDelivery({
  id: "01900000-0000-7000-8000-0000000000f1",
  endpointId: endpoint.id,
  eventId: event.id,
  status: "pending"
})
const job = aJob({ id: delivery.id, lane: "deliveries", epoch: 3 })
const world: DueWorld = { application, delivery, endpoint, event, order: null }
const decide = (more: Partial<DueWorld>) => Either.getOrThrow(dueDelivery({ ...world, ...more }, job, someTime))
const done = { jobId: job.id, epoch: job.epoch, again: null }

describe("a due delivery", () => {
  it("is attempted, with nothing written before the attempt", () => {
    expect(decide({})).toEqual({ changes: null, result: { delivery, endpoint, event } })
  })
  it.each([
    ["was erased", undefined],
    ["was delivered", { ...delivery, status: "delivered" }],
    ["has failed", { ...delivery, status: "failed" }]
  ] as const)("ends its job if it %s, and expects that at the commit", (_, delivery) => {
    const { changes, result } = decide({ delivery })
    expect(result).toBeNull()
    const expects =
      delivery === undefined
        ? []
        : [{ table: "deliveries", key: { id: delivery.id }, where: { version: delivery.version } }]
    expect(changes).toMatchObject({ expects, sets: [], settle: done })
  })
  it.each([
    ["its event is purged", { event: undefined }],
    ["its endpoint does not exist", { endpoint: undefined }],
    ["its endpoint is deleted", { endpoint: { ...endpoint, status: "deleted" as const } }]
  ])("fails if %s", (_, more) => {
    const { changes, result } = decide(more)
    expect(result).toBeNull()
    expect(changes).toMatchObject({
      expects: [{ table: "deliveries", key: { id: delivery.id }, where: { version: delivery.version } }],
      sets: [{ table: "deliveries", key: { id: delivery.id }, values: { status: "failed", completedAt: someTime } }],
      settle: done
    })
  })
  it.each([
    ["its endpoint is disabled", { endpoint: { ...endpoint, status: "disabled" as const } }],
    ["its endpoint failed too often", { endpoint: { ...endpoint, consecutiveFailures: failuresThatDisable } }],
    ["its application is suspended", { application: { ...application, status: "suspended" as const } }],
    ["its application may not receive", { application: { ...application, scopes: [] } }]
  ])("waits without a job if %s, and expects that at the commit", (_, more) => {
    const { changes, result } = decide(more)
    expect(result).toBeNull()
    expect(changes).toMatchObject({
      expects: [
        { table: "endpoints", key: { id: endpoint.id }, where: { version: endpoint.version } },
        { table: "applications", key: { id: application.id }, where: { version: application.version } }
      ],
      sets: [],
      settle: done
    })
  })
  it("that is the job of a subscription's presence is due again after a minute, until the subscription is deleted", () => {
    const presence = { ...presenceJob(endpoint, someTime), epoch: 3 }
    const settled = (endpoint: DueWorld["endpoint"]) => {
      const due = Either.getOrThrow(dueDelivery({ ...world, delivery: undefined, endpoint }, presence, someTime))
      expect(due.result).toBeNull()
      return due.changes
    }
    const again = { runAt: someTime + 60_000, lane: "subscriptions", payload: presence.payload }
    const disabled = { ...endpoint, status: "disabled" as const }
    for (const present of [endpoint, disabled])
      expect(settled(present)).toMatchObject({ settle: { jobId: presence.id, epoch: 3, again } })
    expect(settled(undefined)).toMatchObject({ expects: [], settle: { again: null } })
    expect(settled({ ...endpoint, status: "deleted" })).toMatchObject({
      expects: [{ table: "endpoints", key: { id: endpoint.id }, where: { status: "deleted" } }],
      settle: { again: null }
    })
  })
  it("waits without a job if its application does not exist", () => {
    const { changes, result } = decide({ application: undefined })
    expect(result).toBeNull()
    expect(changes).toMatchObject({ expects: [{ table: "endpoints" }], sets: [], settle: done })
    expect(changes?.expects).toHaveLength(1)
  })
  it("of a test is attempted at a disabled endpoint, but not for a suspended application", () => {
    const test = { event: { ...event, type: "webhook.test" as const } }
    const disabled = { ...endpoint, status: "disabled" as const }
    expect(decide({ ...test, endpoint: disabled }).result).not.toBeNull()
    expect(decide({ ...test, application: { ...application, status: "suspended" } }).result).toBeNull()
  })
})
