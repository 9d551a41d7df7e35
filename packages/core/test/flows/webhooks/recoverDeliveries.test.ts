import { aDelivery, anApplication, anEndpoint, anEvent, someConnectionId, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import {
  type RecoverWorld,
  recoverDeliveries,
  recoveredDeliveryId
} from "../../../src/flows/webhooks/recoverDeliveries.js"
import type { Delivery } from "../../../src/model/Delivery.js"
import type { Event } from "../../../src/model/Event.js"
import { agreed, refused } from "../../outcomes.js"

const idOf = (digit: string) => `01900000-0000-7000-8000-0000000000${digit}`
const application = anApplication({ scopes: ["webhooks.receive"], connectionIds: [someConnectionId] })
const endpoint = anEndpoint({ applicationId: application.id, events: ["message.sent", "contact.created"] })
const event = anEvent({ id: idOf("a1"), type: "message.sent", applicationId: application.id })
const delivered = (status: Delivery["status"], more: Partial<Delivery> = {}) =>
  aDelivery({ id: idOf("f1"), eventId: event.id, endpointId: endpoint.id, status, attempts: 7, round: 7, ...more })
const world: RecoverWorld = { application, endpoint, events: [event], deliveries: [], knownSince: 0 }
const batch = (deliveries: number) => ({ deliveries, since: someTime })
const recover = (more: Partial<RecoverWorld>) => recoverDeliveries({ ...world, ...more }, someTime, someTime + 1)

describe("a recover", () => {
  it("makes a delivery for an event without one, with a derived id", () => {
    const { changes, result } = agreed(recover({}))
    const id = recoveredDeliveryId(event.id, endpoint.id)
    expect(result).toEqual(batch(1))
    expect(changes?.inserts).toEqual([])
    expect(changes?.ensures).toMatchObject([
      { table: "deliveries", row: { id, eventId: event.id, endpointId: endpoint.id, status: "pending", attempts: 0 } },
      { table: "jobs", row: { id, runAt: someTime + 1 } }
    ])
    expect(changes?.expects).toMatchObject([
      { table: "endpoints", key: { id: endpoint.id }, where: { version: endpoint.version } },
      { table: "applications", key: { id: application.id }, where: { version: application.version } },
      { table: "events", key: { id: event.id } }
    ])
  })
  it("restarts a failed delivery", () => {
    const { changes, result } = agreed(recover({ deliveries: [delivered("failed", { version: 8 })] }))
    expect(result).toEqual(batch(1))
    expect(changes?.sets).toMatchObject([{ values: { status: "pending", round: 0, completedAt: null } }])
    expect(changes?.expects).toContainEqual({ table: "deliveries", key: { id: idOf("f1") }, where: { version: 8 } })
  })
  it.each(["pending", "delivered"] as const)("does not change a %s delivery", (status) => {
    expect(agreed(recover({ deliveries: [delivered(status)] }))).toEqual({ changes: null, result: batch(0) })
  })
  it("ignores deliveries of other endpoints", () => {
    expect(agreed(recover({ deliveries: [delivered("delivered", { endpointId: idOf("e9") })] })).result).toEqual(
      batch(1)
    )
  })
  it.each<[string, Partial<Event>]>([
    ["older than the start time", { createdAt: someTime - 1 }],
    ["not on the endpoint's list", { type: "message.read" }],
    ["on a connection that is not allowed", { connectionId: idOf("c9") }],
    ["about another application's message", { applicationId: idOf("b9") }],
    ["a test", { type: "webhook.test", connectionId: null }]
  ])("skips an event that is %s", (_, more) => {
    const everything = { ...endpoint, events: more.type === "webhook.test" ? ["*" as const] : endpoint.events }
    const failed = delivered("failed")
    expect(agreed(recover({ endpoint: everything, events: [{ ...event, ...more }], deliveries: [failed] }))).toEqual({
      changes: null,
      result: batch(0)
    })
  })
  it("includes an event at the start time and events without an application", () => {
    const contact = { ...event, type: "contact.created" as const, connectionId: null, applicationId: null }
    expect(agreed(recover({ events: [contact] })).result).toEqual(batch(1))
  })
  it("skips an event whose delivery may be purged", () => {
    const since = someTime + 1
    expect(agreed(recover({ knownSince: since }))).toEqual({ changes: null, result: { deliveries: 0, since } })
    expect(agreed(recover({ knownSince: someTime })).result).toEqual(batch(1))
  })
  it("is refused if the endpoint or the application receives nothing", () => {
    expect(refused(recover({ endpoint: { ...endpoint, status: "disabled" } }))).toMatchObject({
      code: "invalid_transition",
      message: expect.stringContaining("enable it first")
    })
    expect(refused(recover({ application: { ...application, status: "suspended" } })).code).toBe("invalid_transition")
    expect(refused(recover({ application: { ...application, scopes: [] } })).code).toBe("forbidden")
    expect(refused(recover({ endpoint: undefined })).code).toBe("not_found")
  })
})

describe("the id of a recovered delivery", () => {
  it("is a UUIDv7 with the event's time, different for each endpoint and event", () => {
    const id = recoveredDeliveryId(event.id, endpoint.id)
    expect(id).toMatch(/^01900000-0000-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(recoveredDeliveryId(event.id, endpoint.id)).toBe(id)
    const others = [recoveredDeliveryId(idOf("a2"), endpoint.id), recoveredDeliveryId(event.id, idOf("e2"))]
    expect(new Set([id, ...others]).size).toBe(3)
  })
})
