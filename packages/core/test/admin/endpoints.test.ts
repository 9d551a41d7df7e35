import { anApplication, anEndpoint, makeTestIds, someTime } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { createEndpoint } from "../../src/admin/endpoints/createEndpoint.js"
import { deleteEndpoint } from "../../src/admin/endpoints/deleteEndpoint.js"
import { endpointDraft, endpointPatchDraft } from "../../src/admin/endpoints/EndpointInput.js"
import { rotateSecret } from "../../src/admin/endpoints/rotateSecret.js"
import { testEndpoint } from "../../src/admin/endpoints/testEndpoint.js"
import { updateEndpoint } from "../../src/admin/endpoints/updateEndpoint.js"
import { failuresThatDisable } from "../../src/webhooks/Endpoint.js"
import { endpointResource } from "../../src/webhooks/EndpointResource.js"
import { agreed, audit, inserted, refused } from "./outcomes.js"

const application = anApplication({ scopes: ["webhooks.receive"] })
const input = { url: "https://shop.example/hooks", events: ["message.received"] }
const seal = (secret: string) => `sealed:${secret.length}`
const create = (body: { readonly [field: string]: unknown }, owner = application, urlRefusal: string | null = null) =>
  createEndpoint(owner, { draft: endpointDraft({ ...input, ...body }), urlRefusal, seal }, someTime, makeTestIds())

describe("a new webhook endpoint", () => {
  it("shows its secret and keeps it sealed", () => {
    const decision = agreed(create({}))
    expect(decision.result.secret).toMatch(/^whsec_[0-9A-Za-z]{32}$/)
    expect(decision.result.endpoint).toMatchObject({ secret: "sealed:38", status: "active", consecutiveFailures: 0 })
    expect(JSON.stringify(decision.changes)).not.toContain(decision.result.secret)
    expect(audit(decision)).toEqual(["webhook_endpoint.created"])
  })
  it("needs an application that may receive webhooks, before its fields are looked at", () => {
    const { code, details } = refused(create({ events: [] }, anApplication({ scopes: ["messages.read"] })))
    expect({ code, details }).toEqual({ code: "forbidden", details: { required_scope: "webhooks.receive" } })
  })
  it("tells what is wrong with its URL beside the rest", () => {
    expect(refused(create({ events: ["order.shipped"] }, application, "must be an https URL")).details).toEqual({
      url: ["must be an https URL"],
      "events.0": [expect.stringContaining("must be one of message.received")]
    })
  })
  it("takes * and refuses no events", () => {
    expect(agreed(create({ events: ["*"] })).result.endpoint.events).toEqual(["*"])
    expect(refused(create({ events: [] })).details).toEqual({ events: ["must have 1 to 100 items"] })
  })
})

const endpoint = anEndpoint({ applicationId: application.id })
const update = (body: { readonly [field: string]: unknown }, present = endpoint, urlRefusal: string | null = null) =>
  updateEndpoint(present, { draft: endpointPatchDraft(body), urlRefusal }, someTime, makeTestIds())

describe("a change of a webhook endpoint", () => {
  it("enables one that its failures disabled, and lets its deliveries go on", () => {
    const failing = anEndpoint({ consecutiveFailures: failuresThatDisable })
    expect(endpointResource(failing).status).toBe("disabled")
    const decision = agreed(update({ status: "active" }, failing))
    expect(endpointResource(decision.result)).toMatchObject({ status: "active", consecutiveFailures: 0 })
    expect(inserted(decision, "jobs")).toMatchObject([
      { lane: "housekeeping", subject: endpoint.id, reference: endpoint.id, payload: { task: "resume_endpoint" } }
    ])
  })
  it("disables one without touching its failures", () => {
    const decision = agreed(update({ status: "disabled" }, anEndpoint({ consecutiveFailures: 3 })))
    expect(decision.result).toMatchObject({ status: "disabled", consecutiveFailures: 3 })
    expect(inserted(decision, "jobs")).toEqual([])
  })
  it("replaces URL and events, and clears the description by null", () => {
    const described = anEndpoint({ description: "Orders" })
    const body = { url: "https://new.example/", events: ["lead.created"], description: null }
    expect(agreed(update(body, described)).result).toMatchObject({ ...body })
  })
  it("has a new status and a new URL in the audit log", () => {
    const failing = anEndpoint({ consecutiveFailures: failuresThatDisable })
    expect(audit(agreed(update({ status: "active" }, failing)))).toEqual(["webhook_endpoint.activated"])
    expect(audit(agreed(update({ status: "active", description: "Orders" })))).toEqual([])
    expect(audit(agreed(update({ status: "disabled", url: "https://new.example/" })))).toEqual([
      "webhook_endpoint.disabled",
      "webhook_endpoint.url_changed"
    ])
  })
  it("cannot delete by status, nor take a refused URL", () => {
    expect(refused(update({ status: "deleted" })).details).toEqual({ status: ["must be one of active, disabled"] })
    expect(refused(update({ url: "http://a.example" }, endpoint, "must be an https URL")).details).toEqual({
      url: ["must be an https URL"]
    })
  })
})

describe("an endpoint's secret", () => {
  it("is replaced at once", () => {
    const decision = agreed(rotateSecret(endpoint, seal, someTime, makeTestIds()))
    expect(decision.changes?.sets).toEqual([
      { table: "endpoints", key: { id: endpoint.id }, values: { secret: "sealed:38" } }
    ])
    expect(decision.result.secret).toMatch(/^whsec_/)
    expect(audit(decision)).toEqual(["webhook_endpoint.secret_rotated"])
  })
  it("is in no resource", () => {
    expect(endpointResource(endpoint)).not.toHaveProperty("secret")
  })
})

describe("deleting an endpoint", () => {
  it("keeps the row, marked", () => {
    const decision = agreed(deleteEndpoint(endpoint, someTime, makeTestIds()))
    expect(decision.result.status).toBe("deleted")
    expect(decision.changes?.deletes).toEqual([])
    expect(audit(decision)).toEqual(["webhook_endpoint.deleted"])
  })
})

describe("a test delivery", () => {
  const test = (present = endpoint, owner = application) =>
    testEndpoint({ endpoint: present, application: owner }, someTime, makeTestIds())

  it("goes to one endpoint, whatever its events, and is tried once", () => {
    const decision = agreed(test(anEndpoint({ events: ["lead.created"] })))
    const [event] = inserted(decision, "events")
    expect(event).toMatchObject({ type: "webhook.test", applicationId: application.id, connectionId: null })
    expect(JSON.parse(event?.data ?? "")).toEqual({ test: { message: expect.any(String), endpoint_id: endpoint.id } })
    expect(inserted(decision, "deliveries")).toEqual([decision.result])
    expect(inserted(decision, "jobs")).toMatchObject([
      { id: decision.result.id, lane: "deliveries", payload: { eventId: event?.id } }
    ])
  })
  it("can be sent to a disabled endpoint", () => {
    expect(agreed(test(anEndpoint({ status: "disabled" }))).result.status).toBe("pending")
  })
  it("is refused where the application is sent no webhooks", () => {
    expect(refused(test(endpoint, anApplication({ scopes: [] }))).details).toEqual({
      required_scope: "webhooks.receive"
    })
    expect(refused(test(endpoint, { ...application, status: "suspended" })).code).toBe("invalid_transition")
  })
})
