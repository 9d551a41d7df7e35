import { aDelivery, aJob, anApplication, anAttempt, anEndpoint, anEvent, someTime } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { messageWebhooks } from "../../src/admin/deliveries/messageWebhooks.js"
import { deliveryWords } from "../../src/admin/deliveries/webhookWords.js"
import type { Attempt, Delivery } from "../../src/webhooks/Delivery.js"
import { type DeliverySurroundings, knownDelivery } from "../../src/webhooks/KnownDelivery.js"

const idOf = (digits: string) => `01900000-0000-7000-8000-0000000000${digits}`
const application = anApplication({ scopes: ["webhooks.receive"] })
const endpoint = anEndpoint({ applicationId: application.id, events: ["*"], createdAt: someTime - 1 })
const event = anEvent({ id: idOf("a1"), type: "message.sent", applicationId: application.id })
const delivery = aDelivery({ id: idOf("f1"), eventId: event.id, endpointId: endpoint.id })
const job = aJob({ id: delivery.id, runAt: someTime + 60_000 })
const around: DeliverySurroundings = { application, endpoint, event, job }

const know = (more: Partial<Delivery>, surroundings: Partial<DeliverySurroundings> = {}) =>
  knownDelivery({ ...delivery, ...more }, { ...around, ...surroundings })
const attempt = (number: number, more: Partial<Attempt>) =>
  anAttempt({ id: idOf(`b${number}`), deliveryId: delivery.id, number, ...more })

describe("a delivery that waits", () => {
  it("is tried when its job is due", () => {
    expect(know({})).toMatchObject({ eventType: "message.sent", nextAttemptAt: job.runAt, waitingFor: null })
    expect(know({}, { job: undefined })).toMatchObject({ nextAttemptAt: null, waitingFor: null })
  })
  it.each([
    ["endpoint_enabled", { endpoint: { ...endpoint, status: "disabled" as const } }],
    ["endpoint_enabled", { endpoint: { ...endpoint, consecutiveFailures: 25 } }],
    ["application_active", { application: { ...application, status: "suspended" as const } }],
    ["scope_granted", { application: { ...application, scopes: [] } }],
    // As the refusal of a replay says.
    ["scope_granted", { application: { ...application, scopes: [], status: "suspended" as const } }]
  ])("waits for %s", (waitingFor, more) => {
    expect(know({}, more)).toMatchObject({ nextAttemptAt: null, waitingFor })
    expect(know({ status: "failed" }, more).waitingFor).toBeNull()
  })
  it("of a test waits for no endpoint", () => {
    const test = { ...event, type: "webhook.test" as const }
    expect(know({}, { event: test, endpoint: { ...endpoint, status: "disabled" } }).nextAttemptAt).toBe(job.runAt)
  })
  it("is still known when its event is purged", () => {
    expect(know({ status: "delivered" }, { event: undefined })).toMatchObject({ eventType: null, nextAttemptAt: null })
  })
})

describe("the words for a delivery", () => {
  const words = (more: Partial<Delivery>, attempts: ReadonlyArray<Attempt>, surroundings = {}) =>
    deliveryWords({ ...know(more, surroundings), attempts })
  const time = new Date(someTime).toISOString()
  const next = new Date(job.runAt).toISOString()
  const refusal = attempt(2, { status: 503 })
  const silence = attempt(1, { status: null, error: "no answer within 10 s" })

  it.each([
    ["delivered", `delivered at ${time} (attempt 2)`],
    ["failed", "failed after 2 attempts, the last one: answered 503"],
    ["pending", `2 attempts failed, the last one: answered 503; next attempt at ${next}`]
  ] as const)("tell what became of one that is %s", (status, expected) => {
    const completedAt = status === "pending" ? null : someTime
    expect(words({ status, completedAt, attempts: 2 }, [refusal, silence])).toBe(expected)
  })
  it("tell that a redirect is not followed", () => {
    const moved = [attempt(1, { status: 302 })]
    expect(words({ status: "failed", completedAt: someTime, attempts: 1 }, moved)).toBe(
      "failed after 1 attempt, the last one: answered 302, and redirects are not followed"
    )
  })
  it("tell what it waits for, and what went wrong on the way", () => {
    const disabled = { endpoint: { ...endpoint, status: "disabled" as const } }
    expect(words({}, [], disabled)).toBe("not tried yet; waits until the endpoint is enabled")
    expect(words({ attempts: 1 }, [silence], disabled)).toBe(
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

  it("are its deliveries, in words", () => {
    const known = { ...know({ status: "delivered", attempts: 1, completedAt: someTime }), attempts: [] }
    expect(explain({ deliveries: [known] })).toEqual([
      [[null, expect.stringMatching(/^delivered at .* \(attempt 1\)$/)]]
    ])
  })
  it("or why there are none", () => {
    const lists = { ...endpoint, events: ["message.read" as const] }
    expect(explain({ endpoints: [lists] })).toEqual([
      [["not_subscribed", "no delivery: the endpoint does not list message.sent"]]
    ])
    expect(explain({ endpoints: [{ ...endpoint, createdAt: someTime + 1 }] })).toEqual([
      [["registered_later", "no delivery: the endpoint was registered after it happened"]]
    ])
    expect(explain({})).toEqual([[["would_be_told_now", expect.stringContaining("it is now")]]])
  })
  it("are not known where they may be purged, whatever is set up now", () => {
    const lists = { ...endpoint, events: ["message.read" as const] }
    for (const one of [endpoint, lists]) {
      expect(explain({ endpoints: [one], knownSince: event.createdAt + 1 })).toEqual([
        [["no_longer_known", expect.stringContaining("no longer kept")]]
      ])
    }
    expect(explain({ knownSince: event.createdAt })).toEqual([[["would_be_told_now", expect.anything()]]])
    const known = { ...know({ status: "delivered", attempts: 1, completedAt: someTime }), attempts: [] }
    expect(explain({ deliveries: [known], knownSince: event.createdAt + 1 })).toEqual([[[null, expect.anything()]]])
  })
  it("leave out a deleted endpoint that was not told", () => {
    expect(explain({ endpoints: [{ ...endpoint, status: "deleted" }] })).toEqual([[]])
  })
  it("are told in the order of what happened", () => {
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
