import {
  aConnection,
  aContact,
  aConversation,
  aJob,
  aMessage,
  anAddress,
  anApplication,
  anIdempotencyRecord,
  aProviderMessage,
  makeTestIds,
  someTime
} from "@parley/testkit/rows"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import type { OutcomeWorld } from "../../../src/flows/sends/OutcomeWorld.js"
import { failQueued, outcomeUnknown, recordOutcome } from "../../../src/flows/sends/recordOutcome.js"
import { day, hour, minute, second } from "../../../src/model/Instant.js"
import type { RowOf, TableName } from "../../../src/ports/Changes.js"
import { SendOutcome } from "../../../src/ports/ChannelProvider.js"

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
const awaitingRecord = anIdempotencyRecord({ key: "key", state: "awaiting" })
const world = (more: Partial<OutcomeWorld> = {}): OutcomeWorld => ({
  message,
  answeredAt: now,
  known: undefined,
  copy: undefined,
  copyFiles: {},
  copyEvents: [],
  watermarks: undefined,
  feed: undefined,
  connection: undefined,
  contact: undefined,
  identity: "whatsapp",
  holder: undefined,
  awaitingRecord: undefined,
  subscribers: { endpoints: [], applications: [anApplication()] },
  ...more
})
const connection = aConnection({ status: "active" })
const contact = aContact({
  id: message.contactId,
  identities: [{ channel: "whatsapp", handle: "+1", displayName: "Ada" }]
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
    recordOutcome(world(more), { job: { ...job, attempts }, outcome, resends: dedupes }, at, makeTestIds())
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
  it("becomes sent, gets the provider's id, and ends its job", () => {
    const { changes, rows, setOf, verdict } = record(accepted)
    expect(verdict).toEqual({ _tag: "Accepted", feed: null })
    expect(changes.expects).toMatchObject([{ table: "messages", key: { id: message.id }, where: { version: 3 } }])
    expect(changes.sets).toContainEqual(expect.objectContaining({ table: "messages", key: { id: message.id } }))
    expect(setOf("messages")).toMatchObject({ status: "sent", sentAt: now, providerMessageId: "p1" })
    expect(rows("providerMessages")).toMatchObject([{ providerMessageId: "p1", messageId: message.id }])
    expect(rows("events").map(({ type }) => type)).toEqual(["message.sent"])
    expect(changes.settle).toEqual({ jobId: job.id, epoch: 7, again: null })
  })
  it("applies receipts that arrived before its id", () => {
    const parked = [{ status: "read" as const, at: now + 5, error: null }]
    const { changes, rows, setOf } = record(accepted, {
      known: aProviderMessage({ providerMessageId: "p1", messageId: null, parked, version: 2 })
    })
    expect(setOf("messages")).toMatchObject({ status: "read", readAt: now + 5 })
    expect(setOf("providerMessages")).toMatchObject({ messageId: message.id, parked: [] })
    expect(changes.claims).toEqual([])
    expect(rows("events").map(({ type }) => type)).toEqual(["message.sent", "message.delivered", "message.read"])
  })
  it("that the vendor has only queued stays queued until a receipt", () => {
    const queued = SendOutcome.Accepted({ providerMessageId: "p1", receipts: [], queued: true })
    const { changes, rows, setOf, verdict } = record(queued)
    expect(verdict).toEqual({ _tag: "Accepted", feed: null })
    expect(setOf("messages")).toMatchObject({ status: "queued", sentAt: null, providerMessageId: "p1" })
    expect(rows("events")).toEqual([])
    expect(changes.settle).toEqual({ jobId: job.id, epoch: 7, again: null })
    const parked = [{ status: "sent" as const, at: now + 5, error: null }]
    const known = aProviderMessage({ providerMessageId: "p1", messageId: null, parked, version: 2 })
    expect(record(queued, { known }).setOf("messages")).toMatchObject({ status: "sent", sentAt: now + 5 })
  })
  it("that the vendor has queued is sent after a day without a report", () => {
    const queued = SendOutcome.Accepted({ providerMessageId: "p1", receipts: [], queued: true })
    const runAt = now + 24 * 3_600_000
    const receipt = { status: "sent", at: runAt, error: null }
    expect(record(queued).rows("jobs")).toMatchObject([
      { lane: "receipts", reference: "p1", runAt, payload: { receipt } }
    ])
    const parked = [{ status: "sent" as const, at: now + 5, error: null }]
    const known = aProviderMessage({ providerMessageId: "p1", messageId: null, parked, version: 2 })
    expect(record(queued, { known }).rows("jobs")).toEqual([])
    expect(record(accepted).rows("jobs")).toEqual([])
  })
  it("has what the vendor and earlier receipts tell of its price", () => {
    const pricing = { billable: true, category: null, model: null, price: "0.01", currency: "USD" }
    const parked = [{ status: "sent" as const, at: now, error: null, billing: { pricing } }]
    const known = aProviderMessage({ providerMessageId: "p1", messageId: null, parked, version: 2 })
    const { setOf } = record(
      SendOutcome.Accepted({ providerMessageId: "p1", receipts: [], billing: { segments: 3 } }),
      {
        known
      }
    )
    expect(setOf("messages")).toMatchObject({ envelope: { pricing, segments: 3 } })
  })
  it("stores scheduled receipts as jobs", () => {
    const receipt = { status: "delivered" as const, at: now + 200, error: null }
    const { rows } = record(SendOutcome.Accepted({ providerMessageId: "p1", receipts: [receipt] }))
    expect(rows("jobs")).toMatchObject([{ lane: "receipts", reference: "p1", runAt: now + 200, payload: { receipt } }])
  })
  it("completes its idempotency record", () => {
    expect(record(accepted, { awaitingRecord }).setOf("idempotency")).toEqual({ state: "done" })
  })
  it("is advanced by the watermarks of its conversation, and expects them unchanged", () => {
    const marks = aConversation({ id: message.conversationId, deliveredUpTo: now + 50, readUpTo: 0 })
    const { changes, rows } = record(accepted, { watermarks: marks })
    expect(rows("events").map(({ type }) => type)).toEqual(["message.sent", "message.delivered"])
    expect(changes.expects).toContainEqual({
      table: "conversations",
      key: { id: marks.id },
      where: { deliveredUpTo: now + 50, readUpTo: 0 }
    })
  })
  it("gets the next position in the customer's feed, once", () => {
    const feed = aConversation({ id: message.conversationId, fed: 4 })
    const { rows, verdict } = record(accepted, { feed })
    expect(rows("feed")).toMatchObject([{ conversationId: feed.id, sequence: 5, messageId: message.id }])
    expect(verdict).toMatchObject({ feed: { connectionId: feed.connectionId, handle: feed.handle, fed: 5 } })
    const known = aProviderMessage({ providerMessageId: "p1", messageId: message.id })
    const again = record(accepted, { feed, known })
    expect([again.rows("feed"), again.verdict]).toEqual([[], { _tag: "Accepted", feed: null }])
    // An earlier receipt has made the row of its id, but has not added it to the feed.
    const parked = aProviderMessage({ providerMessageId: "p1", messageId: null })
    expect(record(accepted, { feed, known: parked }).rows("feed")).toHaveLength(1)
  })
  it("does not undo an earlier receipt", () => {
    const failed = aMessage({ ...message, status: "failed" })
    expect(record(accepted, { message: failed }).setOf("messages")).toMatchObject({ status: "failed", sentAt: null })
  })
})

describe("a rejected message", () => {
  it("fails with a catalogue code, and stores the provider's error for administrators only", () => {
    const { rows, setOf, verdict } = record(rejected)
    expect(setOf("messages")).toMatchObject({
      status: "failed",
      error: {
        code: "provider_error",
        message: "The provider rejected the message.",
        provider: { code: "131026", message: "undeliverable" }
      }
    })
    expect(JSON.stringify(rows("events"))).not.toMatch(/undeliverable|131026/)
    expect(rows("events").map(({ type }) => type)).toEqual(["message.failed"])
    expect(verdict).toMatchObject({ _tag: "Rejected", freed: false })
  })
  it("releases the idempotency key while the request waits", () => {
    const { changes, verdict } = record(rejected, { awaitingRecord })
    expect(changes.deletes).toMatchObject([{ table: "idempotency" }])
    expect(changes.expects).toContainEqual(
      expect.objectContaining({ table: "idempotency", where: { state: "awaiting" } })
    )
    expect(verdict).toMatchObject({ _tag: "Rejected", freed: true })
  })
  it("is answered as a rejection again, if its first commit took effect without an answer", () => {
    const failed = { ...message, status: "failed" as const }
    const { changes, verdict } = record(rejected, { message: failed })
    expect(verdict).toMatchObject({ _tag: "Rejected", freed: true })
    expect(changes.sets).toEqual([])
  })
  it("keeps an idempotency key that was replayed meanwhile", () => {
    const { changes, verdict } = record(rejected, { awaitingRecord: { ...awaitingRecord, state: "done" } })
    expect(changes.deletes).toEqual([])
    expect(verdict).toMatchObject({ freed: false })
  })
})

describe("a rejection with effects beyond its message", () => {
  const refused = SendOutcome.Rejected({
    scope: "connection",
    code: "provider_error",
    providerCode: "190",
    providerMessage: "the token is not valid any more"
  })
  it("disconnects the connection and notifies the administrators", () => {
    const { changes, rows, setOf } = record(refused, { connection })
    expect(setOf("messages")).toMatchObject({ status: "failed" })
    expect(setOf("connections")).toEqual({ status: "disconnected" })
    expect(changes.expects).toContainEqual({
      table: "connections",
      key: { id: connection.id },
      where: { status: "active", version: connection.version }
    })
    const [notification] = rows("notifications")
    expect(notification).toMatchObject({ kind: "connection.disconnected", subjectId: connection.id })
    expect(notification?.message).toContain(`parley connection check ${connection.id}`)
    expect(rows("jobs")).toMatchObject([{ lane: "housekeeping", reference: notification?.id }])
    expect(rows("auditLog")).toMatchObject([{ actor: "engine", action: "connection.disconnected" }])
  })
  it("does not change a connection that is no longer active", () => {
    for (const status of ["paused", "disconnected"] as const) {
      const { rows, setOf } = record(refused, { connection: { ...connection, status } })
      expect([setOf("connections"), rows("notifications")]).toEqual([undefined, []])
    }
  })
  it("disconnects also if a receipt has advanced the message", () => {
    const sent = aMessage({ ...message, status: "sent" })
    const { setOf, verdict } = record(refused, { connection, message: sent })
    expect([setOf("connections"), setOf("messages")]).toEqual([{ status: "disconnected" }, undefined])
    expect(verdict).toEqual({ _tag: "Accepted", feed: null })
  })
  it("opts out a customer who opted out at the vendor", () => {
    for (const [scope, flag] of [
      ["all", { optedOut: true, optedOutAt: now }],
      ["marketing", { marketingOptedOut: true, marketingOptedOutAt: now }]
    ] as const) {
      const { rows, setOf } = record({ ...rejected, optOut: scope }, { contact })
      expect(setOf("contacts")).toEqual(flag)
      expect(rows("events").map(({ type }) => type)).toEqual(["message.failed", "contact.updated"])
    }
  })
})

describe("a rejection without effects beyond its message", () => {
  it("leaves its contact unchanged without an opt-out", () => {
    expect(record(rejected, { contact }).setOf("contacts")).toBeUndefined()
  })
  it("opts out no contact that was erased", () => {
    expect(record({ ...rejected, optOut: "all" }).setOf("contacts")).toBeUndefined()
  })
})

describe("a message without a final outcome", () => {
  it("waits for the retry hint of a throttle at any age", () => {
    const late = someTime + 30 * day
    const throttled = SendOutcome.Throttled({ retryAfterMs: 700 })
    const { changes, verdict } = record(throttled, { answeredAt: late, connection }, true, late, 500)
    expect(verdict).toEqual({ _tag: "Postponed" })
    expect(changes.settle?.again).toMatchObject({
      runAt: late + 700,
      lane: "sends",
      payload: { to: "+1", settled: 500, tries: 1 }
    })
    expect(changes.sets).toEqual([])
  })
  it("holds its throttled connection and keeps its slot", () => {
    const throttled = SendOutcome.Throttled({ retryAfterMs: 700 })
    const { changes } = record(throttled, { connection })
    expect(changes.expects).toEqual([
      { table: "connections", key: { id: connection.id }, where: { heldUntil: 0, heldMs: 0 } }
    ])
    expect(changes.bumps).toEqual([
      { table: "connections", id: connection.id, greatest: { heldUntil: now + 700 }, add: { heldMs: 700 } }
    ])
    expect(changes.settle?.again?.payload).toMatchObject({ slot: now })
    const agreed = record(throttled, { connection: { ...connection, heldUntil: now + 700, heldMs: 700 } })
    expect([agreed.changes.expects, agreed.changes.bumps]).toEqual([[], []])
    expect(agreed.changes.settle?.again).toEqual(changes.settle?.again)
  })
  it.each([
    [0, second],
    [1, 2 * second],
    [3, 8 * second],
    [400, 5 * minute]
  ])("without a retry hint backs off after %i tries for %i ms", (tries, pause) => {
    const tried = { ...job, payload: { ...job.payload, tries } }
    const decision = recordOutcome(
      world({ connection }),
      { job: tried, outcome: SendOutcome.Throttled({ retryAfterMs: null }), resends: true },
      now,
      makeTestIds()
    )
    const { changes } = Either.getOrThrow(decision)
    expect(changes?.settle?.again?.runAt).toBe(now + pause)
  })
  it("waits at least the minimum delay after a retry hint of 0", () => {
    for (const scope of ["connection", "recipient"] as const) {
      const { changes } = record(SendOutcome.Throttled({ retryAfterMs: 0, scope }), { connection })
      expect(changes.settle?.again?.runAt).toBe(now + 100)
    }
  })
  it("waits at most an hour after a longer retry hint", () => {
    for (const scope of ["connection", "recipient"] as const) {
      const { changes } = record(SendOutcome.Throttled({ retryAfterMs: 10 * day, scope }), { connection })
      expect(changes.settle?.again?.runAt).toBe(now + hour)
    }
  })
  it("does not hold the connection if only its recipient is throttled", () => {
    const { changes } = record(SendOutcome.Throttled({ retryAfterMs: 700, scope: "recipient" }), { connection })
    expect(changes.settle?.again).toMatchObject({ runAt: now + 700, payload: { slot: null, recipientSlot: null } })
    expect(changes.bumps).toEqual([])
  })
  it("is sent at once to the recipient's new handle, which is added to the contact", () => {
    const { changes, rows } = record(SendOutcome.Moved({ handle: "+491709999999" }), { connection, contact })
    expect(changes.settle?.again).toMatchObject({ runAt: now, payload: { to: "+491709999999", moves: 1 } })
    expect(rows("addresses")).toMatchObject([{ space: "phone", handle: "+491709999999", contactId: contact.id }])
    expect(rows("events").map(({ type }) => type)).toEqual(["contact.updated"])
  })
  it("is sent to a new handle of another contact without taking that handle", () => {
    const holder = anAddress({ handle: "+491709999999", contactId: "01900000-0000-7000-8000-0000000000cc" })
    const { changes, rows } = record(SendOutcome.Moved({ handle: "+491709999999" }), { connection, contact, holder })
    expect(changes.settle?.again?.payload).toMatchObject({ to: "+491709999999" })
    expect(rows("addresses")).toEqual([])
  })
  it("is sent to a new handle also if the contact or the connection was deleted", () => {
    for (const left of [{ connection }, { contact }]) {
      const { changes, rows } = record(SendOutcome.Moved({ handle: "+491709999999" }), left)
      expect(changes.settle?.again?.payload).toMatchObject({ to: "+491709999999" })
      expect(rows("addresses")).toEqual([])
    }
  })
  it("is retried after transient failures for a day", () => {
    const transient = SendOutcome.Transient({ reason: "down" })
    expect(record(transient).changes.settle?.again?.runAt).toBe(now + second)
    const retried = (failingSince: number) => {
      const failing = { ...job, payload: { ...job.payload, tries: 4, failingSince } }
      return Either.getOrThrow(
        recordOutcome(world(), { job: failing, outcome: transient, resends: true }, now, makeTestIds())
      )
    }
    const delay = 16 * second
    expect(retried(now + delay - day).changes?.settle?.again).toMatchObject({ runAt: now + delay })
    const { changes, result } = retried(now + delay - day - 1)
    expect(result).toEqual({ _tag: "Postponed" })
    expect(changes?.settle?.again).toBeNull()
    expect(changes?.sets.find(({ table }) => table === "messages")?.values).toMatchObject({
      status: "failed",
      error: {
        code: "provider_error",
        message: "The provider could not be reached in time.",
        provider: { code: "unavailable", message: "down" }
      }
    })
    // The customer may have it.
    for (const [outcome, mayHaveArrived] of [
      [SendOutcome.Unknown({ reason: "lost" }), false],
      [transient, true]
    ] as const) {
      const payload = { ...job.payload, tries: 4, mayHaveArrived, failingSince: now + delay - day - 1 }
      const resent = { job: { ...job, payload }, outcome, resends: true }
      const { changes } = Either.getOrThrow(recordOutcome(world(), resent, now, makeTestIds()))
      expect(changes?.settle?.again).toBeNull()
      expect(changes?.sets.find(({ table }) => table === "messages")?.values).toMatchObject({
        status: "failed",
        error: { provider: { code: "outcome_unknown", message: outcome.reason } }
      })
    }
  })
  it("is retried after a transient failure also without deduplication", () => {
    const transient = SendOutcome.Transient({ reason: "down" })
    expect(record(transient, {}, false).changes.settle?.again).toMatchObject({
      runAt: now + second,
      payload: { held: false, failingSince: now, reason: "down" }
    })
  })
  it("waits for its throttle alone if the connection was deleted", () => {
    const throttled = (at: number) => record(SendOutcome.Throttled({ retryAfterMs: 700 }), {}, true, at).changes
    expect(throttled(now).settle?.again).toMatchObject({
      runAt: now + 700,
      payload: { slot: null, recipientSlot: null, tries: 1 }
    })
    expect(throttled(now + minute).settle?.again?.runAt).toBe(now + minute)
    expect(throttled(now).bumps).toEqual([])
  })
  it("is retried after an unknown outcome only if the provider deduplicates", () => {
    const unknown = SendOutcome.Unknown({ reason: "timeout" })
    expect(record(unknown).changes.settle?.again).toMatchObject({ runAt: now + second, payload: { held: false } })
    expect(record(unknown, {}, false).changes.settle?.again).toMatchObject({
      runAt: now + day,
      payload: { held: true, reason: "timeout" }
    })
  })
  it("has no reason once a try did not fail", () => {
    const failing = { ...job, payload: { ...job.payload, failingSince: now, reason: "down" } }
    const throttled = SendOutcome.Throttled({ retryAfterMs: 700 })
    const decision = recordOutcome(world(), { job: failing, outcome: throttled, resends: true }, now, makeTestIds())
    expect(Either.getOrThrow(decision).changes?.settle?.again?.payload).toMatchObject({ reason: null })
  })
  it("counts the day from the first failure, not from its creation", () => {
    const late = someTime + 30 * day
    const transient = record(SendOutcome.Transient({ reason: "down" }), {}, true, late)
    expect(transient.changes.settle?.again).toMatchObject({ runAt: late + second, payload: { failingSince: late } })
    const unknown = record(SendOutcome.Unknown({ reason: "timeout" }), {}, false, late)
    expect(unknown.changes.settle?.again?.runAt).toBe(late + day)
  })
  it("fails if the outcome stays unknown for a day", () => {
    const fail = (reason: string | null) =>
      failQueued(world(), job, outcomeUnknown(reason), someTime + day, makeTestIds()).changes
    const error = { code: "provider_error", message: "The outcome of the send stayed unknown." }
    expect(fail(null)?.sets).toMatchObject([{ table: "messages", values: { status: "failed", error } }])
    const provider = { code: "outcome_unknown", message: "no answer in time" }
    expect(fail("no answer in time")?.sets[0]?.values).toMatchObject({ error: { ...error, provider } })
  })
  it("stays as an earlier receipt set it", () => {
    const sent = aMessage({ ...message, status: "sent" })
    const { changes } = record(SendOutcome.Unknown({ reason: "timeout" }), { message: sent }, false)
    expect(changes.settle?.again).toBeNull()
    expect(changes.sets).toEqual([])
  })
})
