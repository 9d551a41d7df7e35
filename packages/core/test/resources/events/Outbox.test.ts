import { anApplication, anEndpoint, makeTestIds, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { failuresThatDisable } from "../../../src/model/Endpoint.js"
import { scopes } from "../../../src/model/Scope.js"
import { isSubscribed, skipReason } from "../../../src/resources/events/isSubscribed.js"
import { emit, type NewEvent } from "../../../src/resources/events/Outbox.js"

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

describe("a webhook endpoint", () => {
  it("receives the types that it lists, or all", () => {
    expect(isSubscribed(endpoint, application, event)).toBe(true)
    expect(isSubscribed({ ...endpoint, events: ["message.received"] }, application, event)).toBe(true)
    expect(isSubscribed({ ...endpoint, events: ["message.read", "contact.created"] }, application, event)).toBe(false)
  })
  it("receives events of allow-listed connections and of all contacts of the workspace", () => {
    const narrow = { ...application, connectionIds: [] }
    expect(isSubscribed(endpoint, narrow, event)).toBe(false)
    expect(isSubscribed(endpoint, narrow, { ...event, type: "contact.created", connectionId: null })).toBe(true)
  })
  it("does not receive events about another application's messages", () => {
    expect(
      isSubscribed(endpoint, application, { ...event, applicationId: "01900000-0000-7000-8000-0000000000e9" })
    ).toBe(false)
    expect(isSubscribed(endpoint, application, { ...event, applicationId: application.id })).toBe(true)
  })
  it("receives nothing while disabled, while its application is suspended, or without the scope", () => {
    expect(isSubscribed({ ...endpoint, status: "disabled" }, application, event)).toBe(false)
    expect(isSubscribed({ ...endpoint, consecutiveFailures: failuresThatDisable }, application, event)).toBe(false)
    expect(isSubscribed(endpoint, { ...application, status: "suspended" }, event)).toBe(false)
    expect(isSubscribed(endpoint, { ...application, scopes: ["messages.read"] }, event)).toBe(false)
  })
  it("does not receive webhook.test by its list", () => {
    expect(isSubscribed(endpoint, application, { ...event, type: "webhook.test", connectionId: null })).toBe(false)
    const named = { ...endpoint, events: ["webhook.test" as const] }
    expect(isSubscribed(named, application, { ...event, type: "webhook.test", connectionId: null })).toBe(false)
  })
  it("reports one skip reason, those that no setting changes first", () => {
    const foreign = { ...event, applicationId: "01900000-0000-7000-8000-0000000000e9" }
    const silent = { ...endpoint, events: [], status: "disabled" as const }
    const subscribed = { ...silent, events: ["*" as const] }
    const suspended = { ...application, connectionIds: [], scopes: [], status: "suspended" as const }
    const allowed = { ...suspended, connectionIds: [connectionId] }
    expect(skipReason(silent, suspended, foreign)).toBe("other_application")
    expect(skipReason(silent, suspended, event)).toBe("connection_not_allowed")
    expect(skipReason(silent, allowed, event)).toBe("not_subscribed")
    const unsent = ["scope_missing", "application_suspended"]
    expect(unsent).toContain(skipReason(subscribed, allowed, event))
    expect(skipReason(subscribed, { ...allowed, scopes }, event)).toBe("application_suspended")
    expect(skipReason(subscribed, { ...allowed, status: "active" }, event)).toBe("scope_missing")
    expect(skipReason(subscribed, application, event)).toBe("endpoint_disabled")
    expect(skipReason(endpoint, application, event)).toBeNull()
  })
})

describe("emit", () => {
  it("writes the event even without a receiver", () => {
    const rows = emit({ endpoints: [], applications: [] }, event, someTime, makeTestIds())
    expect(rows).toMatchObject([
      { table: "events", row: { type: "message.received", hasExternalReference: false, data: '{"message":{}}' } }
    ])
  })
  it("gives each delivery a job with the same id", () => {
    const rows = emit({ endpoints: [endpoint], applications: [application] }, event, someTime, makeTestIds())
    const [, delivery, job] = rows.map(({ row }) => row)
    expect(job).toMatchObject({ id: delivery?.id, lane: "deliveries", subject: endpoint.id, reference: delivery?.id })
  })
})
