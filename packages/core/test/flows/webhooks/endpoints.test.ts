import { anApplication, anEndpoint, makeTestIds, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { createEndpoint } from "../../../src/flows/webhooks/createEndpoint.js"
import { deleteEndpoint } from "../../../src/flows/webhooks/deleteEndpoint.js"
import { decodeEndpointInput, decodeEndpointPatch } from "../../../src/flows/webhooks/EndpointInput.js"
import { endpointResource } from "../../../src/flows/webhooks/EndpointResource.js"
import { rotateSecret } from "../../../src/flows/webhooks/rotateSecret.js"
import { testEndpoint } from "../../../src/flows/webhooks/testEndpoint.js"
import { updateEndpoint } from "../../../src/flows/webhooks/updateEndpoint.js"
import type { Decision } from "../../../src/kernel/Decider.js"
import { failuresThatDisable } from "../../../src/model/Endpoint.js"
import type { EventType } from "../../../src/model/Event.js"
import { minute } from "../../../src/model/Instant.js"
import { agreed, audit, inserted, refused } from "../../outcomes.js"

const application = anApplication({ scopes: ["webhooks.receive"] })
const input = { url: "https://shop.example/hooks", events: ["message.received"] }
const seal = (secret: string) => `sealed:${secret.length}`
const create = (body: { readonly [field: string]: unknown }, owner = application, urlRefusal: string | null = null) =>
  createEndpoint(
    owner,
    { decoded: decodeEndpointInput({ ...input, ...body }), urlRefusal, seal },
    someTime,
    makeTestIds()
  )

describe("a new webhook endpoint", () => {
  it("shows its secret once and stores it sealed", () => {
    const decision = agreed(create({}))
    expect(decision.result.secret).toMatch(/^whsec_[0-9A-Za-z]{32}$/)
    expect(decision.result.endpoint).toMatchObject({ secret: "sealed:38", status: "active", consecutiveFailures: 0 })
    expect(JSON.stringify(decision.changes)).not.toContain(decision.result.secret)
    expect(audit(decision)).toEqual(["webhook_endpoint.created"])
  })
  it("takes a secret of the caller, of 24 to 255 printable characters", () => {
    const secret = "our-own-secret-of-24-chars"
    const decision = agreed(create({ secret }))
    expect([decision.result.secret, decision.result.endpoint.secret]).toEqual([secret, `sealed:${secret.length}`])
    for (const wrong of ["x".repeat(23), "x".repeat(256), `${secret} `, `${secret}\n`, `${secret}é`, 24]) {
      const { details } = refused(create({ secret: wrong }))
      expect(details).toEqual({ secret: [expect.stringMatching(/^must be /)] })
    }
    expect(agreed(create({ secret: null })).result.secret).toMatch(/^whsec_/)
  })
  it("needs an application with the webhook scope, checked before its fields", () => {
    const { code, details, message } = refused(create({ events: [] }, anApplication({ scopes: ["messages.read"] })))
    expect({ code, details }).toEqual({ code: "forbidden", details: { required_scope: "webhooks.receive" } })
    expect(message).toBe("The application needs the scope webhooks.receive to receive webhooks.")
  })
  it("reports URL problems together with all others", () => {
    expect(refused(create({ events: ["order.shipped"] }, application, "must be an https URL")).details).toEqual({
      url: ["must be an https URL"],
      "events.0": [expect.stringContaining("must be one of message.received")]
    })
  })
  it("accepts * and refuses an empty event list", () => {
    expect(agreed(create({ events: ["*"] })).result.endpoint.events).toEqual(["*"])
    expect(refused(create({ events: [] })).details).toEqual({ events: ["must have 1 to 100 items"] })
  })
})

const endpoint = anEndpoint({ applicationId: application.id })
const update = (body: { readonly [field: string]: unknown }, present = endpoint, urlRefusal: string | null = null) =>
  updateEndpoint(present, { decoded: decodeEndpointPatch(body), urlRefusal, seal }, someTime, makeTestIds())

describe("a change of a webhook endpoint", () => {
  it("stores its URL sealed and returns it in clear text", () => {
    const decision = agreed(update({ url: "https://shop.example/new" }))
    expect(decision.result.url).toBe("https://shop.example/new")
    expect(decision.changes?.sets).toMatchObject([{ values: { url: "sealed:24" } }])
  })
  it("replaces the secret, sealed, with an audit entry", () => {
    const secret = "our-own-secret-of-24-chars"
    const decision = agreed(update({ secret }))
    expect(decision.changes?.sets).toMatchObject([{ values: { secret: `sealed:${secret.length}` } }])
    expect(JSON.stringify(decision.changes)).not.toContain(secret)
    expect(audit(decision)).toEqual(["webhook_endpoint.secret_rotated"])
    expect(refused(update({ secret: "short" })).details).toHaveProperty("secret")
  })
  it("enables an endpoint that failures disabled and resumes its deliveries", () => {
    const failing = anEndpoint({ consecutiveFailures: failuresThatDisable })
    expect(endpointResource(failing).status).toBe("disabled")
    const decision = agreed(update({ status: "active" }, failing))
    expect(endpointResource(decision.result)).toMatchObject({ status: "active", consecutiveFailures: 0 })
    const job = { lane: "housekeeping", subject: endpoint.id, reference: endpoint.id }
    expect(inserted(decision, "jobs")).toMatchObject([
      { ...job, payload: { task: "resume_endpoint" }, runAt: someTime },
      { ...job, payload: { task: "recover_endpoint", since: someTime }, runAt: someTime + minute }
    ])
  })
  it("recovers after a minute what it began to receive, where commits were decided before", () => {
    const recovers = (decision: Decision<unknown>) =>
      inserted(decision, "jobs").map(({ payload, runAt }) => [payload?.task, payload?.since, runAt])
    const recovery = [["recover_endpoint", someTime, someTime + minute]]
    expect(recovers(agreed(create({ url: "https://a.example/", events: ["*"] })))).toEqual(recovery)
    const listing = (...events: ReadonlyArray<EventType | "*">) => anEndpoint({ events })
    expect(
      recovers(agreed(update({ events: ["lead.created", "lead.stage_changed"] }, listing("lead.created"))))
    ).toEqual(recovery)
    expect(recovers(agreed(update({ events: ["*"] }, listing("lead.created"))))).toEqual(recovery)
    expect(recovers(agreed(update({ events: ["lead.created"] }, listing("*"))))).toEqual([])
    expect(
      recovers(agreed(update({ events: ["lead.stage_changed"] }, listing("lead.created", "lead.stage_changed"))))
    ).toEqual([])
    expect(recovers(agreed(update({ description: "Orders" })))).toEqual([])
  })
  it("disables an endpoint without resetting its failure counter", () => {
    const decision = agreed(update({ status: "disabled" }, anEndpoint({ consecutiveFailures: 3 })))
    expect(decision.result).toMatchObject({ status: "disabled", consecutiveFailures: 3 })
    expect(inserted(decision, "jobs")).toEqual([])
  })
  it("replaces URL and events, and clears the description by null", () => {
    const described = anEndpoint({ description: "Orders" })
    const body = { url: "https://new.example/", events: ["lead.created"], description: null }
    expect(agreed(update(body, described)).result).toMatchObject({ ...body })
  })
  it("writes new status and new URL to the audit log", () => {
    const failing = anEndpoint({ consecutiveFailures: failuresThatDisable })
    expect(audit(agreed(update({ status: "active" }, failing)))).toEqual(["webhook_endpoint.activated"])
    expect(audit(agreed(update({ status: "active", description: "Orders" })))).toEqual([])
    expect(audit(agreed(update({ status: "disabled", url: "https://new.example/" })))).toEqual([
      "webhook_endpoint.disabled",
      "webhook_endpoint.url_changed"
    ])
  })
  it("refuses the status deleted and a refused URL", () => {
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
  it("keeps the row with status deleted", () => {
    const decision = agreed(deleteEndpoint(endpoint, someTime, makeTestIds()))
    expect(decision.result.status).toBe("deleted")
    expect(decision.changes?.deletes).toEqual([])
    expect(audit(decision)).toEqual(["webhook_endpoint.deleted"])
  })
})

describe("a test delivery", () => {
  const test = (present = endpoint, owner = application) =>
    testEndpoint({ endpoint: present, application: owner }, someTime, makeTestIds())

  it("goes to one endpoint, whatever its event list, with one attempt", () => {
    const decision = agreed(test(anEndpoint({ events: ["lead.created"] })))
    const [event] = inserted(decision, "events")
    expect(event).toMatchObject({ type: "webhook.test", applicationId: application.id, connectionId: null })
    expect(JSON.parse(event?.data ?? "")).toEqual({ test: { message: expect.any(String), endpoint_id: endpoint.id } })
    expect(inserted(decision, "deliveries")).toEqual([decision.result.delivery])
    expect(inserted(decision, "jobs")).toMatchObject([
      { id: decision.result.delivery.id, lane: "deliveries", payload: { eventId: event?.id } }
    ])
  })
  it("can be sent to a disabled endpoint", () => {
    expect(agreed(test(anEndpoint({ status: "disabled" }))).result.delivery.status).toBe("pending")
  })
  it("is refused if the application receives no webhooks", () => {
    expect(refused(test(endpoint, anApplication({ scopes: [] }))).details).toEqual({
      required_scope: "webhooks.receive"
    })
    expect(refused(test(endpoint, { ...application, status: "suspended" })).code).toBe("invalid_transition")
  })
})
