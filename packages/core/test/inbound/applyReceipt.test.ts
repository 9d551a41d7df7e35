import {
  aConnection,
  aMessage,
  anApplication,
  aProviderMessage,
  makeTestIds,
  someContactId,
  someTime
} from "@parley/testkit"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { applyReceipt, type ReceiptCommand, type ReceiptWorld } from "../../src/inbound/applyReceipt.js"

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
  it("moves its message and settles the job that brought it", () => {
    const changes = apply({ known, message }, { settle })
    expect(changes?.sets).toMatchObject([
      { table: "messages", values: { status: "delivered", deliveredAt: someTime + 5 } }
    ])
    expect(changes?.inserts.map(({ row }) => row)).toMatchObject([{ type: "message.delivered" }])
    expect(changes?.settle).toEqual(settle)
  })
  it("is kept when it comes before the provider's id is known", () => {
    expect(apply({ known: undefined, message: undefined })?.claims).toMatchObject([
      { table: "providerMessages", row: { messageId: null, parked: [receipt] } }
    ])
  })
  it("is kept beside others that wait", () => {
    const earlier = { status: "sent" as const, at: someTime, error: null }
    const changes = apply({ known: { ...known, messageId: null, parked: [earlier] }, message: undefined })
    expect(changes?.expects).toMatchObject([{ table: "providerMessages", where: { version: 2 } }])
    expect(changes?.sets).toMatchObject([{ values: { parked: [earlier, receipt] } }])
  })
  it("writes nothing when it tells nothing new", () => {
    const delivered = aMessage({ ...message, status: "delivered" })
    expect(apply({ known, message: delivered })).toBeNull()
    expect(apply({ known, message: delivered }, { settle })).toMatchObject({ sets: [], inserts: [], settle })
  })
  it("that is kept is kept once for each status", () => {
    const parked = { ...known, messageId: null, parked: [receipt] }
    expect(apply({ known: parked, message: undefined })).toBeNull()
    const read = { ...receipt, status: "read" as const }
    expect(apply({ known: parked, message: undefined }, { receipt: read })?.sets).toMatchObject([
      { values: { parked: [receipt, read] } }
    ])
  })
})

describe("a receipt that says that the vendor refuses the connection", () => {
  const connection = aConnection({ id: message.connectionId, status: "active" })
  const refusal = { providerCode: "131042", providerMessage: "The account cannot be billed." }
  const failed = { receipt: { status: "failed" as const, at: someTime + 5, error: null }, refusal }
  const tablesOf = (world: Omit<ReceiptWorld, "subscribers">, more: Partial<ReceiptCommand> = {}) =>
    apply(world, { ...failed, ...more })?.sets.map(({ table }) => table)

  it("disconnects it with the message that failed for it, and tells why", () => {
    const changes = apply({ known, message, connection }, failed)
    expect(changes?.sets).toMatchObject([
      { table: "messages", values: { status: "failed" } },
      { table: "connections", key: { id: connection.id }, values: { status: "disconnected" } }
    ])
    const told = changes?.inserts.find(({ table }) => table === "notifications")
    expect(JSON.stringify(told?.row)).toContain("131042: The account cannot be billed.")
  })
  it("disconnects it too where it is the first word of its message", () => {
    const queued = { ...message, status: "queued" as const, providerMessageId: null }
    expect(tablesOf({ known: undefined, message: queued, connection }, { messageId: message.id })).toEqual([
      "messages",
      "connections"
    ])
  })
  it("leaves it alone where it was told before, or the message did not fail for it", () => {
    for (const status of ["failed", "delivered"] as const) {
      expect(apply({ known, message: { ...message, status }, connection }, failed)).toBeNull()
    }
    expect(tablesOf({ known, message, connection }, { refusal: null })).toEqual(["messages"])
    expect(tablesOf({ known, message, connection }, { receipt })).toEqual(["messages"])
  })
  it("leaves one alone that is not active, or is gone", () => {
    expect(tablesOf({ known, message, connection: { ...connection, status: "paused" } })).toEqual(["messages"])
    expect(tablesOf({ known, message, connection: undefined })).toEqual(["messages"])
  })
})

describe("a receipt that carries our own id", () => {
  const queued = { ...message, status: "queued" as const, providerMessageId: null }
  const carrying = { messageId: message.id }
  it("moves a message whose send is not known, and ties the provider's id to it", () => {
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
  it("applies what was kept under the provider's id first", () => {
    const read = { status: "read" as const, at: someTime + 3, error: null }
    const changes = apply({ known: { ...known, messageId: null, parked: [read] }, message: queued }, carrying)
    expect(changes?.sets).toMatchObject([
      { table: "providerMessages", values: { messageId: message.id, parked: [] } },
      { table: "messages", values: { status: "read", readAt: someTime + 3 } }
    ])
  })
  it("leaves the provider's id that the message has", () => {
    const changes = apply({ known: undefined, message: { ...queued, providerMessageId: "p0" } }, carrying)
    expect(changes?.sets).toMatchObject([{ values: { providerMessageId: "p0" } }])
  })
  it("is kept where the id is no message that went out on the connection", () => {
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
