import { aDelivery, aJob, anAttempt, anEndpoint, someTime } from "@parley/testkit"
import { Either, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { hour, minute } from "../../src/Instant.js"
import type { Delivery } from "../../src/webhooks/Delivery.js"
import { type AttemptWorld, recordAttempt, retryDelays } from "../../src/webhooks/recordAttempt.js"

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
  payload: { eventId: "e", applicationId: "a", once: false }
})
const attempt = (status: number | null, number = 1) =>
  anAttempt({ id: "01900000-0000-7000-8000-0000000000f2", deliveryId: delivery.id, status, number })

const record = (
  status: number | null,
  more: Partial<Delivery> = {},
  world: Partial<AttemptWorld> = {},
  jitter = 0,
  payload = job.payload
) => {
  const now = { ...delivery, ...more }
  const decision = Either.getOrThrow(
    recordAttempt(
      { delivery: now, endpoint, ...world },
      { ...job, payload },
      attempt(status, now.attempts + 1),
      jitter,
      someTime
    )
  )
  if (decision.changes === null) throw new Error("nothing was recorded")
  return { changes: decision.changes, set: decision.changes.sets[0]?.values, settle: decision.changes.settle }
}

describe("an attempt", () => {
  it.each([200, 204, 299])("that is answered %i finishes the delivery", (status) => {
    const { changes, set, settle } = record(status)
    expect(set).toMatchObject({ status: "delivered", attempts: 1, completedAt: someTime })
    expect(settle).toMatchObject({ epoch: 3, again: null })
    expect(changes.inserts).toMatchObject([{ table: "attempts", row: { number: 1 } }])
    expect(changes.bumps).toEqual([])
  })
  it.each([null, 199, 301, 404, 500])("that is answered %s is followed by another", (status) => {
    const { changes, set, settle } = record(status)
    expect(set).toMatchObject({ status: "pending", attempts: 1, round: 1, completedAt: null })
    expect(settle?.again).toMatchObject({ lane: "retries", runAt: someTime + minute, payload: job.payload })
    expect(changes.bumps).toEqual([{ table: "endpoints", id: endpoint.id, add: { consecutiveFailures: 1 } }])
  })
  it("follows the schedule of the specification, then fails", () => {
    expect(retryDelays).toEqual([minute, 5 * minute, 15 * minute, hour, 6 * hour, 24 * hour])
    for (const [round, delay] of retryDelays.entries()) {
      expect(record(500, { round, attempts: round }).settle?.again?.runAt).toBe(someTime + delay)
    }
    const last = record(500, { round: 6, attempts: 6 })
    expect(last.settle?.again).toBeNull()
    expect(last.set).toMatchObject({ status: "failed", attempts: 7, completedAt: someTime })
  })
  it("is never followed sooner than the schedule says, nor more than a tenth later", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.double({ min: 0, max: 1, noNaN: true }), (round, jitter) => {
        const wait = (record(500, { round }, {}, jitter).settle?.again?.runAt ?? 0) - someTime
        const delay = retryDelays[round] as number
        expect(wait).toBeGreaterThanOrEqual(delay)
        expect(wait).toBeLessThanOrEqual(delay * 1.1 + 1)
      })
    )
  })
  it("that succeeds ends a row of failures, but enables nothing", () => {
    expect(record(200, {}, { endpoint: { ...endpoint, consecutiveFailures: 24 } }).changes.bumps).toMatchObject([
      { reset: { consecutiveFailures: 0 } }
    ])
    expect(record(200, {}, { endpoint: { ...endpoint, consecutiveFailures: 25 } }).changes.bumps).toEqual([])
  })
  it("of a test is the only one, and counts for nothing", () => {
    const { changes, set } = record(500, {}, {}, 0, { ...job.payload, once: true })
    expect(set).toMatchObject({ status: "failed" })
    expect(changes.bumps).toEqual([])
  })
  it("that comes after somebody else finished the delivery changes nothing but is kept", () => {
    const { changes } = record(500, { status: "delivered", attempts: 1 })
    expect(changes.sets).toEqual([])
    expect(changes.inserts).toMatchObject([{ table: "attempts" }])
  })
})
