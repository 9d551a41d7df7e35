import { aDelivery, aJob, anAttempt, anEndpoint, makeTestIds, someTime } from "@parley/testkit/rows"
import { Either, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { type AttemptWorld, recordAttempt } from "../../../src/flows/webhooks/recordAttempt.js"
import { retrySchedule, subscriptionSchedule } from "../../../src/flows/webhooks/retrySchedule.js"
import type { Delivery } from "../../../src/model/Delivery.js"
import type { Endpoint } from "../../../src/model/Endpoint.js"
import type { EventType } from "../../../src/model/Event.js"
import { hour, minute, second } from "../../../src/model/Instant.js"
import type { Changes } from "../../../src/ports/Changes.js"
import { inserted } from "../../outcomes.js"

const endpoint = anEndpoint()
const delivery = aDelivery({
  id: "01900000-0000-7000-8000-0000000000f1",
  endpointId: endpoint.id,
  status: "pending",
  attempts: 0,
  round: 0
})
const job = aJob({
  id: delivery.id,
  lane: "deliveries",
  epoch: 3,
  payload: { eventId: "e", applicationId: "a" }
})
const attempt = (status: number | null, number = 1) =>
  anAttempt({
    id: "01900000-0000-7000-8000-0000000000f2",
    deliveryId: delivery.id,
    status,
    error: status === null ? "no response" : null,
    number
  })

const record = (
  status: number | null,
  more: Partial<Delivery> = {},
  world: Partial<AttemptWorld> = {},
  jitter = 0,
  type: EventType = "message.sent",
  number?: number
) => {
  const now = { ...delivery, ...more }
  const called = { endpoint, url: endpoint.url }
  const made = { attempt: attempt(status, number ?? now.attempts + 1), called, event: { type }, job, jitter }
  const decision = Either.getOrThrow(
    recordAttempt({ delivery: now, endpoint, next: undefined, ...world }, made, someTime, makeTestIds())
  )
  if (decision.changes === null) throw new Error("nothing was recorded")
  return { changes: decision.changes, set: decision.changes.sets[0]?.values, settle: decision.changes.settle }
}

describe("an attempt", () => {
  it.each([200, 204, 299])("answered %i marks the delivery as delivered", (status) => {
    const { changes, set, settle } = record(status)
    expect(set).toMatchObject({ status: "delivered", attempts: 1, completedAt: someTime })
    expect(settle).toMatchObject({ epoch: 3, again: null })
    expect(changes.inserts).toMatchObject([{ table: "attempts", row: { number: 1 } }])
    expect(changes.sets).toMatchObject([{ table: "deliveries", key: { id: delivery.id } }])
    expect(changes.bumps).toEqual([])
  })
  it.each([null, 199, 300, 301, 404, 500])("answered %s is retried", (status) => {
    const { changes, set, settle } = record(status)
    expect(set).toMatchObject({ status: "pending", attempts: 1, round: 1, completedAt: null })
    expect(settle?.again).toMatchObject({ lane: "retries", runAt: someTime + minute, payload: job.payload })
    expect(changes.bumps).toEqual([{ table: "endpoints", id: endpoint.id, add: { consecutiveFailures: 1 } }])
  })
  it("is retried by the schedule, then the delivery fails", () => {
    expect(retrySchedule).toEqual([minute, 5 * minute, 15 * minute, hour, 6 * hour, 24 * hour])
    for (const [round, delay] of retrySchedule.entries()) {
      expect(record(500, { round, attempts: round }).settle?.again?.runAt).toBe(someTime + delay)
    }
    const last = record(500, { round: 6, attempts: 6 })
    expect(last.settle?.again).toBeNull()
    expect(last.set).toMatchObject({ status: "failed", attempts: 7, completedAt: someTime })
  })
  it("at a subscription is retried in its lane for about a day, then the delivery fails", () => {
    const ofSubscription = { ...job, lane: "subscriptions" as const }
    const failing = (round: number) => {
      const made = {
        attempt: attempt(null, round + 1),
        called: { endpoint, url: endpoint.url },
        event: { type: "message.sent" as const },
        job: ofSubscription,
        jitter: 0
      }
      const world = { delivery: { ...delivery, round, attempts: round }, endpoint, next: undefined }
      return Either.getOrThrow(recordAttempt(world, made, someTime, makeTestIds())).changes
    }
    expect(subscriptionSchedule.slice(0, 4)).toEqual([second, 5 * second, 30 * second, minute])
    for (const [round, delay] of subscriptionSchedule.entries()) {
      expect(failing(round)?.settle?.again).toMatchObject({ lane: "subscriptions", runAt: someTime + delay })
    }
    const total = subscriptionSchedule.reduce((sum, delay) => sum + delay, 0)
    expect(total).toBeGreaterThan(23 * hour)
    expect(total).toBeLessThan(25 * hour)
    const counted = [...subscriptionSchedule.keys()].filter((round) => failing(round)?.bumps.length === 1)
    expect(counted).toEqual([7, 8, 9])
    expect(subscriptionSchedule.slice(0, counted[0]).reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(hour)
    const last = failing(subscriptionSchedule.length)
    expect(last?.settle?.again).toBeNull()
    expect(last?.sets[0]?.values).toMatchObject({ status: "failed" })
  })
  it("at a subscription has succeeded without a status and an error", () => {
    const handled = { ...attempt(null), error: null }
    const called = { endpoint, url: endpoint.url }
    const made = { attempt: handled, called, event: { type: "message.sent" as const }, job, jitter: 0 }
    const { changes } = Either.getOrThrow(
      recordAttempt({ delivery, endpoint, next: undefined }, made, someTime, makeTestIds())
    )
    expect(changes?.sets[0]?.values).toMatchObject({ status: "delivered" })
  })
  it("is retried at the scheduled delay plus at most 10 %", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.double({ min: 0, max: 1, noNaN: true }), (round, jitter) => {
        const wait = (record(500, { round }, {}, jitter).settle?.again?.runAt ?? 0) - someTime
        const delay = retrySchedule[round] as number
        expect(wait).toBeGreaterThanOrEqual(delay)
        expect(wait).toBeLessThanOrEqual(delay * 1.1 + 1)
      })
    )
  })
  it("that succeeds resets the failure counter but does not enable the endpoint", () => {
    expect(record(200, {}, { endpoint: { ...endpoint, consecutiveFailures: 24 } }).changes.bumps).toMatchObject([
      { reset: { consecutiveFailures: 0 } }
    ])
    expect(record(200, {}, { endpoint: { ...endpoint, consecutiveFailures: 25 } }).changes.bumps).toEqual([])
  })
  it.each([
    ["deleted", { ...endpoint, status: "deleted" as const }],
    ["purged", undefined]
  ])("is recorded and not retried if its endpoint was %s meanwhile", (_, endpoint) => {
    const { changes, set, settle } = record(500, {}, { endpoint })
    expect(changes.inserts).toMatchObject([{ table: "attempts" }])
    expect(changes.bumps).toEqual([])
    expect(set).toMatchObject({ status: "failed", completedAt: someTime })
    expect(settle).toMatchObject({ again: null })
    expect(record(200, {}, { endpoint }).set).toMatchObject({ status: "delivered" })
  })
  it("of a test is not retried and not counted", () => {
    const { changes, set } = record(500, {}, {}, 0, "webhook.test")
    expect(set).toMatchObject({ status: "failed" })
    expect(changes.bumps).toEqual([])
  })
  it.each(["delivered", "failed"] as const)(
    "that fails after the delivery is %s is only stored and numbered",
    (status) => {
      const { changes, set } = record(500, { status, attempts: 1 })
      expect(set).toEqual({ attempts: 2 })
      expect(changes.bumps).toEqual([])
      expect(changes.inserts).toMatchObject([{ table: "attempts" }])
    }
  )
  it.each(["pending", "delivered", "failed"] as const)("expects the version of a %s delivery", (status) => {
    expect(record(500, { status, version: 5 }).changes.expects).toContainEqual({
      table: "deliveries",
      key: { id: delivery.id },
      where: { version: 5 }
    })
  })
  it("that succeeds late marks a failed delivery as delivered", () => {
    const { set } = record(200, { status: "failed", attempts: 7, round: 7 }, {}, 0, "message.sent", 7)
    expect(set).toMatchObject({ status: "delivered", attempts: 7 })
  })
  it("whose lease was lost does not advance the schedule beyond the attempt that replaced it", () => {
    const { set, settle } = record(500, { attempts: 3, round: 3 }, {}, 0, "message.sent", 3)
    expect(set).toMatchObject({ status: "pending", attempts: 3, round: 3 })
    expect(settle?.again?.runAt).toBe(someTime + (retrySchedule[2] ?? 0))
    expect(record(500, { attempts: 3, round: 0 }, {}, 0, "message.sent", 3).settle?.again?.runAt).toBe(
      someTime + minute
    )
  })
})

describe("consecutive failures", () => {
  const failing = (consecutiveFailures: number, more: Partial<Endpoint> = {}) =>
    record(500, {}, { endpoint: { ...endpoint, consecutiveFailures, ...more } }).changes
  const condition = ({ expects }: Changes) => {
    const expected = expects.find(({ table }) => table === "endpoints")
    if (expected !== undefined) expect(expected.key).toEqual({ id: endpoint.id })
    return expected?.where
  }
  const { secret, url } = endpoint
  const counts = (most: number) => Array.from({ length: most + 1 }, (_, count) => count)

  it("are counted without conflicts while none can reach the limit", () => {
    for (const count of [0, 7, 23]) {
      const changes = failing(count)
      expect(condition(changes)).toEqual({ status: "active", consecutiveFailures: counts(23), url, secret })
      expect(changes.inserts.map(({ table }) => table)).toEqual(["attempts"])
    }
  })
  it("disable the endpoint at the limit and notify the administrators in the same commit", () => {
    const changes = failing(24)
    expect(condition(changes)).toEqual({ status: "active", consecutiveFailures: 24, url, secret })
    const [notification] = inserted({ changes, result: undefined }, "notifications")
    expect(notification).toMatchObject({ kind: "webhook_endpoint.disabled", subjectId: endpoint.id })
    expect(notification?.message).toContain(endpoint.url)
    expect(inserted({ changes, result: undefined }, "auditLog")).toMatchObject([
      {
        workspaceId: endpoint.workspaceId,
        applicationId: endpoint.applicationId,
        actor: "engine",
        action: "webhook_endpoint.disabled",
        subjectId: endpoint.id,
        createdAt: someTime
      }
    ])
    expect(inserted({ changes, result: undefined }, "jobs")).toMatchObject([
      { lane: "housekeeping", reference: notification?.id, payload: { task: "notify" } }
    ])
  })
  it.each([
    ["failed too often", { consecutiveFailures: 25 }],
    ["was disabled", { status: "disabled" }],
    ["was deleted", { status: "deleted" }],
    ["got another URL", { url: "sealed anew" }],
    ["got another secret", { secret: "sealed anew" }]
  ] as const)("are not counted once the endpoint %s", (_, more) => {
    expect(failing(3, more).bumps).toEqual([])
    expect(condition(failing(3, more))).toBeUndefined()
  })
  it("are reset by a success, unless they have disabled the endpoint", () => {
    const { changes } = record(200, {}, { endpoint: { ...endpoint, consecutiveFailures: 3 } })
    expect(changes.bumps).toEqual([{ table: "endpoints", id: endpoint.id, reset: { consecutiveFailures: 0 } }])
    expect(condition(changes)).toEqual({ status: "active", consecutiveFailures: counts(24) })
  })
  it("are checked without a lock by a success without earlier failures", () => {
    const { changes } = record(200)
    expect(condition(changes)).toEqual({ consecutiveFailures: 0 })
    expect(changes.expects.map(({ table, unlocked }) => [table, unlocked ?? false])).toEqual([
      ["deliveries", false],
      ["endpoints", true]
    ])
    expect(changes.bumps).toEqual([])
  })
})
