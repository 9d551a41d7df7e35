import {
  aJob,
  aMessage,
  anApplication,
  anIdempotencyRecord,
  aProviderMessage,
  makeTestIds,
  someTime
} from "@parley/testkit"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { day, minute, second } from "../../src/Instant.js"
import { backoff, giveUp, type OutcomeWorld, recordOutcome } from "../../src/messages/recordOutcome.js"
import type { RowOf, TableName } from "../../src/ports/Changes.js"
import { SendOutcome } from "../../src/ports/ChannelProvider.js"

const now = someTime + second
const message = aMessage({
  id: "01900000-0000-7000-8000-0000000000aa",
  direction: "outbound",
  status: "queued",
  createdAt: someTime,
  version: 3
})
const job = aJob({
  id: "01900000-0000-7000-8000-0000000000bb",
  lane: "sends",
  reference: message.id,
  payload: { to: "+1" },
  attempts: 1,
  epoch: 7
})
const awaiting = anIdempotencyRecord({ key: "key", state: "awaiting" })
const world = (more: Partial<OutcomeWorld> = {}): OutcomeWorld => ({
  message,
  known: undefined,
  awaiting: undefined,
  subscribers: { endpoints: [], applications: [anApplication()] },
  ...more
})
const accepted = SendOutcome.Accepted({ providerMessageId: "p1", receipts: [] })
const rejected = SendOutcome.Rejected({
  scope: "recipient",
  code: "provider_error",
  providerCode: "131026",
  providerMessage: "undeliverable"
})

const record = (outcome: SendOutcome, more: Partial<OutcomeWorld> = {}, dedupes = true, at = now, attempts = 1) => {
  const decision = Either.getOrThrow(
    recordOutcome(world(more), { ...job, attempts }, outcome, dedupes, at, makeTestIds())
  )
  const changes = decision.changes
  if (changes === null) throw new Error("nothing was recorded")
  const rows = <T extends TableName>(table: T) =>
    [...changes.claims, ...changes.inserts]
      .filter((one) => one.table === table)
      .map((one) => (one as unknown as RowOf<T>).row)
  const setOf = (table: TableName) => changes.sets.find((one) => one.table === table)?.values
  return { changes, rows, setOf, verdict: decision.result }
}

describe("an accepted message", () => {
  it("is sent, known by the provider's id, and its job is done", () => {
    const { changes, rows, setOf, verdict } = record(accepted)
    expect(verdict).toEqual({ _tag: "Accepted" })
    expect(changes.expects).toMatchObject([{ table: "messages", where: { version: 3 } }])
    expect(setOf("messages")).toMatchObject({ status: "sent", sentAt: now, providerMessageId: "p1" })
    expect(rows("providerMessages")).toMatchObject([{ providerMessageId: "p1", messageId: message.id }])
    expect(rows("events").map(({ type }) => type)).toEqual(["message.sent"])
    expect(changes.settle).toEqual({ jobId: job.id, epoch: 7, again: null })
  })
  it("takes the receipts that came before its id", () => {
    const parked = [{ status: "read" as const, at: now + 5, error: null }]
    const { changes, rows, setOf } = record(accepted, {
      known: aProviderMessage({ providerMessageId: "p1", messageId: null, parked, version: 2 })
    })
    expect(setOf("messages")).toMatchObject({ status: "read", readAt: now + 5 })
    expect(setOf("providerMessages")).toMatchObject({ messageId: message.id, parked: [] })
    expect(changes.claims).toEqual([])
    expect(rows("events").map(({ type }) => type)).toEqual(["message.sent", "message.delivered", "message.read"])
  })
  it("keeps the receipts that the provider foretells as jobs", () => {
    const receipt = { status: "delivered" as const, at: now + 200, error: null }
    const { rows } = record(SendOutcome.Accepted({ providerMessageId: "p1", receipts: [receipt] }))
    expect(rows("jobs")).toMatchObject([{ lane: "receipts", reference: "p1", runAt: now + 200, payload: { receipt } }])
  })
  it("lets its key be replayed", () => {
    expect(record(accepted, { awaiting }).setOf("idempotency")).toEqual({ state: "done" })
  })
  it("does not undo what a receipt told already", () => {
    const failed = aMessage({ ...message, status: "failed" })
    expect(record(accepted, { message: failed }).setOf("messages")).toMatchObject({ status: "failed", sentAt: null })
  })
})

describe("a rejected message", () => {
  it("fails with a code of the catalogue, not the provider's words", () => {
    const { rows, setOf, verdict } = record(rejected)
    expect(setOf("messages")).toMatchObject({ status: "failed", error: { code: "provider_error" } })
    expect(JSON.stringify(setOf("messages"))).not.toContain("undeliverable")
    expect(rows("events").map(({ type }) => type)).toEqual(["message.failed"])
    expect(verdict).toMatchObject({ _tag: "Rejected", freed: false })
  })
  it("frees the key while its sender waits", () => {
    const { changes, verdict } = record(rejected, { awaiting })
    expect(changes.deletes).toMatchObject([{ table: "idempotency" }])
    expect(changes.expects).toContainEqual(
      expect.objectContaining({ table: "idempotency", where: { state: "awaiting" } })
    )
    expect(verdict).toMatchObject({ _tag: "Rejected", freed: true })
  })
  it("keeps a key that somebody replayed meanwhile", () => {
    const { changes, verdict } = record(rejected, { awaiting: { ...awaiting, state: "done" } })
    expect(changes.deletes).toEqual([])
    expect(verdict).toMatchObject({ freed: false })
  })
})

describe("a message without a verdict", () => {
  it("waits as long as a throttle says, however old it is", () => {
    const late = someTime + 30 * day
    const { changes, verdict } = record(SendOutcome.Throttled({ retryAfterMs: 700 }), {}, true, late, 500)
    expect(verdict).toEqual({ _tag: "Postponed" })
    expect(changes.settle?.again).toMatchObject({
      runAt: late + 700,
      lane: "sends",
      payload: { to: "+1", settled: 500 }
    })
    expect(changes.sets).toEqual([])
  })
  it("is tried again after a transient failure, until its day is over", () => {
    const transient = SendOutcome.Transient({ reason: "down" })
    expect(record(transient).changes.settle?.again?.runAt).toBe(now + backoff(1))
    const { changes, setOf } = record(transient, {}, true, someTime + day)
    expect(changes.settle?.again).toBeNull()
    expect(setOf("messages")).toMatchObject({ status: "failed", error: { code: "provider_error" } })
  })
  it("is tried again after an unknown outcome only where the provider dedupes", () => {
    const unknown = SendOutcome.Unknown({ reason: "timeout" })
    expect(record(unknown).changes.settle?.again).toMatchObject({ runAt: now + second, payload: { held: false } })
    expect(record(unknown, {}, false).changes.settle?.again).toMatchObject({
      runAt: someTime + day,
      payload: { held: true }
    })
  })
  it("fails when an unknown outcome stays unknown for a day", () => {
    const { changes } = Either.getOrThrow(giveUp(world(), job, someTime + day, makeTestIds()))
    expect(changes?.sets).toMatchObject([{ table: "messages", values: { status: "failed" } }])
  })
  it("is left to the receipt that told more", () => {
    const sent = aMessage({ ...message, status: "sent" })
    const { changes } = record(SendOutcome.Unknown({ reason: "timeout" }), { message: sent }, false)
    expect(changes.settle?.again).toBeNull()
    expect(changes.sets).toEqual([])
  })
})

describe("backoff", () => {
  it("doubles from one second to five minutes", () => {
    expect([1, 2, 3, 9, 10, 400].map(backoff)).toEqual([
      second,
      2 * second,
      4 * second,
      256 * second,
      5 * minute,
      5 * minute
    ])
  })
})
