import { aDelivery, aJob, anApplication, anAttempt, anEndpoint, anEvent, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { type DeliveryContext, knownDelivery } from "../../../src/flows/webhooks/KnownDelivery.js"
import { messageWebhooks } from "../../../src/flows/webhooks/messageWebhooks.js"
import { deliveryText } from "../../../src/flows/webhooks/webhookTexts.js"
import type { Attempt, Delivery } from "../../../src/model/Delivery.js"
import { neverDue } from "../../../src/model/Job.js"

const idOf = (digits: string) => `01900000-0000-7000-8000-0000000000${digits}`
const application = anApplication({ scopes: ["webhooks.receive"] })
const endpoint = anEndpoint({ applicationId: application.id, events: ["*"], createdAt: someTime - 1 })
const event = anEvent({ id: idOf("a1"), type: "message.sent", applicationId: application.id })
const delivery = aDelivery({ id: idOf("f1"), eventId: event.id, endpointId: endpoint.id })
const job = aJob({ id: delivery.id, runAt: someTime + 60_000 })
const around: DeliveryContext = { application, endpoint, event, job }

const know = (more: Partial<Delivery>, deliveryContext: Partial<DeliveryContext> = {}) =>
  knownDelivery({ ...delivery, ...more }, { ...around, ...deliveryContext })
const attempt = (number: number, more: Partial<Attempt>) =>
  anAttempt({ id: idOf(`b${number}`), deliveryId: delivery.id, number, ...more })

describe("a pending delivery", () => {
  it("has its next attempt when its job is due", () => {
    expect(know({})).toMatchObject({ eventType: "message.sent", nextAttemptAt: job.runAt, waitingFor: null })
    expect(know({}, { job: undefined })).toMatchObject({ nextAttemptAt: null, waitingFor: null })
  })
  it.each([
    ["endpoint_enabled", { endpoint: { ...endpoint, status: "disabled" as const } }],
    ["endpoint_enabled", { endpoint: { ...endpoint, consecutiveFailures: 25 } }],
    ["application_active", { application: { ...application, status: "suspended" as const } }],
    ["scope_granted", { application: { ...application, scopes: [] } }],
    // The same reason as the refusal of a replay.
    ["scope_granted", { application: { ...application, scopes: [], status: "suspended" as const } }]
  ])("waits for %s", (waitingFor, more) => {
    expect(know({}, more)).toMatchObject({ nextAttemptAt: null, waitingFor })
    expect(know({ status: "failed" }, more).waitingFor).toBeNull()
  })
  it("waits for its job if that is parked", () => {
    const failure = { lane: "deliveries", count: 20, since: someTime, error: "TypeError: x" } as const
    const parked = { ...job, lane: "parked" as const, runAt: neverDue, failure }
    expect(know({}, { job: parked })).toMatchObject({ nextAttemptAt: null, waitingFor: "job_retried", failure })
    expect(deliveryText({ ...know({}, { job: parked }), attempts: [] })).toBe(
      "not tried yet; its job failed 20 times and is parked: TypeError: x; waits until its job is retried"
    )
    const disabled = { ...endpoint, status: "disabled" as const }
    expect(know({}, { job: parked, endpoint: disabled })).toMatchObject({
      ...{ nextAttemptAt: null, waitingFor: "endpoint_enabled", failure: null }
    })
    const deleted = { ...endpoint, status: "deleted" as const }
    expect(know({}, { job: parked, endpoint: deleted })).toMatchObject({ nextAttemptAt: null, waitingFor: null })
  })
  it("waits for the secret key that the host of its last try lacked", () => {
    const failure = { lane: "deliveries", count: 0, since: someTime, error: "its URL was sealed with a0" } as const
    const waiting = { job: { ...job, failure } }
    expect(know({}, waiting)).toMatchObject({ nextAttemptAt: null, waitingFor: "secret_key", failure })
    expect(deliveryText({ ...know({}, waiting), attempts: [] })).toBe(
      "not tried yet; its URL was sealed with a0; waits until a host has the key"
    )
    const failed = { ...job, failure: { ...failure, count: 1 } }
    expect(know({}, { job: failed })).toMatchObject({ nextAttemptAt: job.runAt, waitingFor: null, failure: null })
    const disabled = { ...endpoint, status: "disabled" as const }
    expect(know({}, { ...waiting, endpoint: disabled })).toMatchObject({
      waitingFor: "endpoint_enabled",
      failure: null
    })
  })
  it("of a test does not wait for its endpoint", () => {
    const test = { ...event, type: "webhook.test" as const }
    expect(know({}, { event: test, endpoint: { ...endpoint, status: "disabled" } }).nextAttemptAt).toBe(job.runAt)
  })
  it("is shown after its event is purged", () => {
    expect(know({ status: "delivered" }, { event: undefined })).toMatchObject({ eventType: null, nextAttemptAt: null })
  })
})

describe("the explanation of a delivery", () => {
  const message = (more: Partial<Delivery>, attempts: ReadonlyArray<Attempt>, deliveryContext = {}) =>
    deliveryText({ ...know(more, deliveryContext), attempts })
  const time = new Date(someTime).toISOString()
  const next = new Date(job.runAt).toISOString()
  const refusal = attempt(2, { status: 503 })
  const silence = attempt(1, { status: null, error: "no answer within 10 s" })

  it.each([
    ["delivered", `delivered at ${time} (attempt 2)`],
    ["failed", "failed after 2 attempts, the last one: answered 503"],
    ["pending", `2 attempts failed, the last one: answered 503; next attempt at ${next}`]
  ] as const)("describes a %s delivery", (status, expected) => {
    const completedAt = status === "pending" ? null : someTime
    expect(message({ status, completedAt, attempts: 2 }, [refusal, silence])).toBe(expected)
  })
  it("says that redirects are not followed", () => {
    const moved = [attempt(1, { status: 302 })]
    expect(message({ status: "failed", completedAt: someTime, attempts: 1 }, moved)).toBe(
      "failed after 1 attempt, the last one: answered 302, and redirects are not followed"
    )
  })
  it("says what the delivery waits for and why attempts failed", () => {
    const disabled = { endpoint: { ...endpoint, status: "disabled" as const } }
    expect(message({}, [], disabled)).toBe("not tried yet; waits until the endpoint is enabled")
    expect(message({ attempts: 1 }, [silence], disabled)).toBe(
      "1 attempt failed, the last one: no answer within 10 s; waits until the endpoint is enabled"
    )
  })
})

describe("the webhooks of a message", () => {
  const explain = (more: Partial<Parameters<typeof messageWebhooks>[0]>) =>
    messageWebhooks({
      messageId: event.subjectId,
      events: [event],
      endpoints: [endpoint],
      applications: [application],
      deliveries: [],
      knownSince: 0,
      ...more
    }).events.map(({ endpoints }) => endpoints.map(({ absence, explanation }) => [absence, explanation]))

  it("are its deliveries with an explanation", () => {
    const known = { ...know({ status: "delivered", attempts: 1, completedAt: someTime }), attempts: [] }
    expect(explain({ deliveries: [known] })).toEqual([
      [[null, expect.stringMatching(/^delivered at .* \(attempt 1\)$/)]]
    ])
  })
  it("say why a delivery is missing", () => {
    const lists = { ...endpoint, events: ["message.read" as const] }
    expect(explain({ endpoints: [lists] })).toEqual([
      [["not_subscribed", "no delivery: the endpoint does not list message.sent"]]
    ])
    expect(explain({ endpoints: [{ ...endpoint, createdAt: someTime + 1 }] })).toEqual([
      [["registered_later", "no delivery: the endpoint was registered after it happened"]]
    ])
    // The endpoint may have been disabled, or its application suspended, or their settings others.
    expect(explain({})).toEqual([
      [
        [
          "not_received_then",
          "no delivery: the endpoint would receive it now, but it or its application was disabled, suspended or set otherwise when it happened"
        ]
      ]
    ])
  })
  it("are unknown for events whose deliveries may be purged", () => {
    const lists = { ...endpoint, events: ["message.read" as const] }
    for (const one of [endpoint, lists]) {
      expect(explain({ endpoints: [one], knownSince: event.createdAt + 1 })).toEqual([
        [["no_longer_known", expect.stringContaining("no longer kept")]]
      ])
    }
    expect(explain({ knownSince: event.createdAt })).toEqual([[["not_received_then", expect.anything()]]])
    const known = { ...know({ status: "delivered", attempts: 1, completedAt: someTime }), attempts: [] }
    expect(explain({ deliveries: [known], knownSince: event.createdAt + 1 })).toEqual([[[null, expect.anything()]]])
  })
  it("omit a deleted endpoint without a delivery", () => {
    expect(explain({ endpoints: [{ ...endpoint, status: "deleted" }] })).toEqual([[]])
  })
  it("are in the order of the events", () => {
    const later = { ...event, id: idOf("a2"), type: "message.read" as const }
    const { events } = messageWebhooks({
      messageId: "m",
      events: [later, event],
      endpoints: [],
      applications: [],
      deliveries: [],
      knownSince: 0
    })
    expect(events.map(({ event }) => event.type)).toEqual(["message.sent", "message.read"])
  })
})
