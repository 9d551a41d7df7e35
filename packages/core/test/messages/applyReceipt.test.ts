import { aMessage, anApplication, aProviderMessage, makeTestIds, someTime } from "@parley/testkit"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { applyReceipt, type ReceiptWorld } from "../../src/messages/applyReceipt.js"

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

const apply = (
  world: Omit<ReceiptWorld, "subscribers">,
  more: Partial<typeof command> | { settle: typeof settle } = {}
) =>
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
})
