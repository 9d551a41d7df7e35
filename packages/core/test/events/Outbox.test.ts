import { anApplication, anEndpoint, makeTestIds, someTime } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { scopes } from "../../src/access/Scope.js"
import { emit, hears, type NewEvent } from "../../src/events/Outbox.js"
import { failuresThatDisable } from "../../src/webhooks/Endpoint.js"

const connectionId = "01900000-0000-7000-8000-0000000000e1"
const application = anApplication({ scopes, connectionIds: [connectionId] })
const endpoint = anEndpoint({ applicationId: application.id, events: ["*"] })
const event: NewEvent = {
  workspaceId: application.workspaceId,
  type: "message.received",
  applicationId: null,
  connectionId,
  subjectId: "01900000-0000-7000-8000-0000000000e2",
  data: { message: {} }
}

describe("an endpoint", () => {
  it("hears what it asked for, by name or all", () => {
    expect(hears(endpoint, application, event)).toBe(true)
    expect(hears({ ...endpoint, events: ["message.received"] }, application, event)).toBe(true)
    expect(hears({ ...endpoint, events: ["message.read", "contact.created"] }, application, event)).toBe(false)
  })
  it("hears of allow-listed connections only, but of the whole workspace's contacts", () => {
    const narrow = { ...application, connectionIds: [] }
    expect(hears(endpoint, narrow, event)).toBe(false)
    expect(hears(endpoint, narrow, { ...event, type: "contact.created", connectionId: null })).toBe(true)
  })
  it("hears nothing of another application's messages", () => {
    expect(hears(endpoint, application, { ...event, applicationId: "01900000-0000-7000-8000-0000000000e9" })).toBe(
      false
    )
    expect(hears(endpoint, application, { ...event, applicationId: application.id })).toBe(true)
  })
  it("hears nothing while disabled, of a suspended application, or without the scope", () => {
    expect(hears({ ...endpoint, status: "disabled" }, application, event)).toBe(false)
    expect(hears({ ...endpoint, consecutiveFailures: failuresThatDisable }, application, event)).toBe(false)
    expect(hears(endpoint, { ...application, status: "suspended" }, event)).toBe(false)
    expect(hears(endpoint, { ...application, scopes: ["messages.read"] }, event)).toBe(false)
  })
})

describe("emit", () => {
  it("writes the event even where nobody hears it", () => {
    const rows = emit({ endpoints: [], applications: [] }, event, someTime, makeTestIds())
    expect(rows).toMatchObject([
      { table: "events", row: { type: "message.received", hasExternalReference: false, data: '{"message":{}}' } }
    ])
  })
  it("gives each delivery one job of its own name", () => {
    const rows = emit({ endpoints: [endpoint], applications: [application] }, event, someTime, makeTestIds())
    const [, delivery, job] = rows.map(({ row }) => row)
    expect(job).toMatchObject({ id: delivery?.id, lane: "deliveries", subject: endpoint.id, reference: delivery?.id })
  })
})
