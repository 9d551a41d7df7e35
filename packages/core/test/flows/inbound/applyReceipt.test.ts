import {
  aConnection,
  aContact,
  aMessage,
  anApplication,
  aProviderMessage,
  makeTestIds,
  someContactId,
  someTime
} from "@parley/testkit/rows"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { applyReceipt, type ReceiptCommand, type ReceiptWorld } from "../../../src/flows/inbound/applyReceipt.js"
import { emptyEnvelope, type Message } from "../../../src/model/Message.js"

const message = aMessage({
  id: "01900000-0000-7000-8000-0000000000aa",
  direction: "outbound",
  status: "sent",
  version: 3
})
const known = aProviderMessage({ providerMessageId: "p1", messageId: message.id, parked: [], version: 2 })
const receipt = { status: "delivered" as const, at: someTime + 5, error: null }
const settle = { jobId: "01900000-0000-7000-8000-0000000000bb", epoch: 4, again: null }
const command = {
  workspaceId: message.workspaceId,
  connectionId: message.connectionId,
  providerMessageId: "p1",
  receipt,
  settle: null
}
const subscribers = { endpoints: [], applications: [anApplication()] }

const apply = (world: Omit<ReceiptWorld, "subscribers">, more: Partial<ReceiptCommand> = {}) =>
  Either.getOrThrow(applyReceipt({ ...world, subscribers }, { ...command, ...more }, someTime + 10, makeTestIds()))
    .changes

describe("a receipt", () => {
  it("advances its message and settles its job", () => {
    const changes = apply({ known, message }, { settle })
    expect(changes?.sets).toMatchObject([
      { table: "messages", values: { status: "delivered", deliveredAt: someTime + 5 } }
    ])
    expect(changes?.inserts.map(({ row }) => row)).toMatchObject([{ type: "message.delivered" }])
    expect(changes?.settle).toEqual(settle)
  })
  it("is parked if the provider's id is not known yet", () => {
    expect(apply({ known: undefined, message: undefined })?.claims).toMatchObject([
      { table: "providerMessages", row: { messageId: null, parked: [receipt] } }
    ])
  })
  it("is parked together with earlier ones", () => {
    const earlier = { status: "sent" as const, at: someTime, error: null }
    const changes = apply({ known: { ...known, messageId: null, parked: [earlier] }, message: undefined })
    expect(changes?.expects).toMatchObject([{ table: "providerMessages", where: { version: 2 } }])
    expect(changes?.sets).toMatchObject([{ values: { parked: [earlier, receipt] } }])
  })
  it("writes nothing without a change of status", () => {
    const delivered = aMessage({ ...message, status: "delivered" })
    expect(apply({ known, message: delivered })).toBeNull()
    expect(apply({ known, message: delivered }, { settle })).toMatchObject({ sets: [], inserts: [], settle })
  })
  it("is parked once per status", () => {
    const parked = { ...known, messageId: null, parked: [receipt] }
    expect(apply({ known: parked, message: undefined })).toBeNull()
    const read = { ...receipt, status: "read" as const }
    expect(apply({ known: parked, message: undefined }, { receipt: read })?.sets).toMatchObject([
      { values: { parked: [receipt, read] } }
    ])
  })
})

describe("what a receipt tells of the price", () => {
  const pricing = { billable: true, category: "marketing", model: "PMP", price: null, currency: null }
  const billing = { pricing, segments: 2 }
  const reported = { receipt: { ...receipt, billing } }

  it("is on the message and in the event", () => {
    const changes = apply({ known, message }, reported)
    expect(changes?.sets).toMatchObject([{ values: { status: "delivered", envelope: { pricing, segments: 2 } } }])
    const [event] = changes?.inserts.map(({ row }) => row) ?? []
    expect(JSON.parse((event as { data: string }).data).message).toMatchObject({ pricing, segments: 2 })
  })
  it("is recorded without a change of status, once, and keeps what earlier receipts reported", () => {
    const price = { ...pricing, billable: null, category: null, model: null, price: "0.0079", currency: "USD" }
    const delivered = aMessage({
      ...message,
      status: "delivered",
      envelope: { ...emptyEnvelope, pricing, segments: 2 }
    })
    const changes = apply({ known, message: delivered }, { receipt: { ...receipt, billing: { pricing: price } } })
    expect(changes?.inserts).toEqual([])
    expect(changes?.sets).toMatchObject([
      { values: { envelope: { pricing: { ...pricing, price: "0.0079", currency: "USD" }, segments: 2 } } }
    ])
    expect(apply({ known, message: delivered }, reported)).toBeNull()
  })
  it("is cut, and no number is invented", () => {
    const odd = { pricing: { ...pricing, category: `a\u0000${"b".repeat(200)}` }, segments: 1.5 }
    const changes = apply({ known, message }, { receipt: { ...receipt, billing: odd } })
    const [{ values } = { values: {} }] = changes?.sets ?? []
    const { envelope } = values as Partial<Message>
    expect(envelope?.pricing?.category).toMatch(/^ab{1,100}$/)
    expect(envelope).not.toHaveProperty("segments")
  })
})

describe("a receipt with an opt-out", () => {
  const contact = aContact({ id: message.contactId, marketingOptedOut: false })
  const failed = { receipt: { status: "failed" as const, at: someTime + 5, error: null }, optOut: "marketing" as const }

  it("fails the message and marks its contact", () => {
    for (const world of [
      { known, message },
      { known: undefined, message }
    ]) {
      const changes = apply({ ...world, contact }, { ...failed, messageId: message.id })
      expect(changes?.sets).toContainEqual({
        table: "contacts",
        key: { id: contact.id },
        values: { marketingOptedOut: true, marketingOptedOutAt: failed.receipt.at }
      })
      expect(changes?.inserts.map(({ row }) => (row as { type: string }).type)).toEqual([
        "message.failed",
        "contact.updated"
      ])
    }
  })
  it("changes no contact if repeated, or if that was erased", () => {
    expect(apply({ known, message: { ...message, status: "failed" }, contact }, failed)).toBeNull()
    expect(apply({ known, message }, failed)?.sets.map(({ table }) => table)).toEqual(["messages"])
  })
})

describe("a receipt with a refusal of the connection", () => {
  const connection = aConnection({ id: message.connectionId, status: "active" })
  const refusal = { providerCode: "131042", providerMessage: "The account cannot be billed." }
  const failed = { receipt: { status: "failed" as const, at: someTime + 5, error: null }, refusal }
  const tablesOf = (world: Omit<ReceiptWorld, "subscribers">, more: Partial<ReceiptCommand> = {}) =>
    apply(world, { ...failed, ...more })?.sets.map(({ table }) => table)

  it("fails the message, disconnects the connection and notifies the reason", () => {
    const changes = apply({ known, message, connection }, failed)
    expect(changes?.sets).toMatchObject([
      { table: "messages", values: { status: "failed" } },
      { table: "connections", key: { id: connection.id }, values: { status: "disconnected" } }
    ])
    const reported = changes?.inserts.find(({ table }) => table === "notifications")
    expect(JSON.stringify(reported?.row)).toContain("131042: The account cannot be billed.")
  })
  it("disconnects the connection also as the first receipt of its message", () => {
    const queued = { ...message, status: "queued" as const, providerMessageId: null }
    expect(tablesOf({ known: undefined, message: queued, connection }, { messageId: message.id })).toEqual([
      "messages",
      "connections"
    ])
  })
  it("does not disconnect if repeated or if the message did not fail for it", () => {
    for (const status of ["failed", "delivered"] as const) {
      expect(apply({ known, message: { ...message, status }, connection }, failed)).toBeNull()
    }
    expect(tablesOf({ known, message, connection }, { refusal: null })).toEqual(["messages"])
    expect(tablesOf({ known, message, connection }, { receipt })).toEqual(["messages"])
  })
  it("does not change an inactive or deleted connection", () => {
    expect(tablesOf({ known, message, connection: { ...connection, status: "paused" } })).toEqual(["messages"])
    expect(tablesOf({ known, message, connection: undefined })).toEqual(["messages"])
  })
})

describe("a receipt with our own id", () => {
  const queued = { ...message, status: "queued" as const, providerMessageId: null }
  const carrying = { messageId: message.id }
  it("advances a message of unknown outcome and records the provider's id", () => {
    const changes = apply({ known: undefined, message: queued }, carrying)
    expect(changes?.claims).toMatchObject([
      { table: "providerMessages", row: { providerMessageId: "p1", messageId: message.id, parked: [] } }
    ])
    expect(changes?.sets).toMatchObject([
      { table: "messages", values: { status: "delivered", providerMessageId: "p1" } }
    ])
    expect(changes?.inserts.map(({ row }) => row)).toMatchObject([
      { type: "message.sent" },
      { type: "message.delivered" }
    ])
  })
  it("applies receipts that were parked for the provider's id first", () => {
    const read = { status: "read" as const, at: someTime + 3, error: null }
    const changes = apply({ known: { ...known, messageId: null, parked: [read] }, message: queued }, carrying)
    expect(changes?.sets).toMatchObject([
      { table: "providerMessages", values: { messageId: message.id, parked: [] } },
      { table: "messages", values: { status: "read", readAt: someTime + 3 } }
    ])
  })
  it("keeps an existing provider id of the message", () => {
    const changes = apply({ known: undefined, message: { ...queued, providerMessageId: "p0" } }, carrying)
    expect(changes?.sets).toMatchObject([{ values: { providerMessageId: "p0" } }])
  })
  it("is parked if the id is not an outbound message of the connection", () => {
    for (const foreign of [
      { ...queued, connectionId: someContactId },
      { ...queued, direction: "inbound" as const }
    ]) {
      expect(apply({ known: undefined, message: foreign }, carrying)?.claims).toMatchObject([
        { row: { messageId: null } }
      ])
    }
  })
})
