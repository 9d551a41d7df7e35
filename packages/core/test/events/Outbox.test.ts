import { anApplication, anEndpoint, makeTestIds, someTime } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { scopes } from "../../src/access/Scope.js"
import { hears, whyUnheard } from "../../src/events/hears.js"
import { emit, type NewEvent } from "../../src/events/Outbox.js"
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
  it("hears of no test by its list: a test is for one endpoint", () => {
    expect(hears(endpoint, application, { ...event, type: "webhook.test", connectionId: null })).toBe(false)
    const named = { ...endpoint, events: ["webhook.test" as const] }
    expect(hears(named, application, { ...event, type: "webhook.test", connectionId: null })).toBe(false)
  })
  it("is told of nothing for one reason at a time, what cannot be changed first", () => {
    const foreign = { ...event, applicationId: "01900000-0000-7000-8000-0000000000e9" }
    const silent = { ...endpoint, events: [], status: "disabled" as const }
    const subscribed = { ...silent, events: ["*" as const] }
    const suspended = { ...application, connectionIds: [], scopes: [], status: "suspended" as const }
    const allowed = { ...suspended, connectionIds: [connectionId] }
    expect(whyUnheard(silent, suspended, foreign)).toBe("other_application")
    expect(whyUnheard(silent, suspended, event)).toBe("connection_not_allowed")
    expect(whyUnheard(silent, allowed, event)).toBe("not_subscribed")
    const unsent = ["scope_missing", "application_suspended"]
    expect(unsent).toContain(whyUnheard(subscribed, allowed, event))
    expect(whyUnheard(subscribed, { ...allowed, scopes }, event)).toBe("application_suspended")
    expect(whyUnheard(subscribed, { ...allowed, status: "active" }, event)).toBe("scope_missing")
    expect(whyUnheard(subscribed, application, event)).toBe("endpoint_disabled")
    expect(whyUnheard(endpoint, application, event)).toBeNull()
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
