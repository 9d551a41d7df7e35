import { aMessage } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { Message, Receipt } from "../../../src/model/Message.js"
import { advance, advanceAll } from "../../../src/resources/messages/advance.js"

const createdAt = 1_000_000
const message = (more: Partial<Message> = {}): Message =>
  aMessage({ id: "01900000-0000-7000-8000-0000000000aa", direction: "outbound", status: "queued", createdAt, ...more })
const receipt = (status: Receipt["status"], at = createdAt + 10): Receipt => ({ status, at, error: null })

const receipts: fc.Arbitrary<Receipt> = fc.record({
  status: fc.constantFrom("sent", "delivered", "read", "failed"),
  at: fc.integer({ min: createdAt - 1_000, max: createdAt + 100_000 }),
  error: fc.constant(null)
})
const rank = { queued: 0, sent: 1, delivered: 2, read: 3, failed: 4 }

describe("advance", () => {
  it("reaches every status up to the receipt's in order, and fills the times of skipped ones", () => {
    const reached = advance(message(), receipt("read"))
    expect(reached.map(({ status }) => status)).toEqual(["sent", "delivered", "read"])
    expect(reached.at(-1)?.message).toMatchObject({
      status: "read",
      sentAt: createdAt + 10,
      deliveredAt: createdAt + 10,
      readAt: createdAt + 10
    })
    expect(reached[0]?.message).toMatchObject({ status: "sent", deliveredAt: null, readAt: null })
  })

  it("ignores repeated and older receipts", () => {
    const delivered = message({ status: "delivered", sentAt: createdAt, deliveredAt: createdAt })
    expect(advance(delivered, receipt("delivered"))).toEqual([])
    expect(advance(delivered, receipt("sent"))).toEqual([])
  })

  it.each(["queued", "sent"] as const)("fails a %s message", (status) => {
    const [failed] = advance(message({ status }), receipt("failed"))
    const error = { code: "provider_error", message: "The provider could not deliver the message." }
    expect(failed?.message).toMatchObject({ status: "failed", error })
  })

  it("keeps the error of a receipt", () => {
    const error = { code: "provider_error" as const, message: "The number is not in use." }
    expect(advance(message(), { ...receipt("failed"), error })[0]?.message.error).toEqual(error)
  })

  it("fills in no time before an earlier status", () => {
    const delivered = message({ status: "delivered", sentAt: createdAt + 5, deliveredAt: createdAt + 50 })
    expect(advance(delivered, receipt("read"))[0]?.message.readAt).toBe(createdAt + 50)
  })

  it.each(["delivered", "read", "failed"] as const)("does not fail a %s message", (status) => {
    expect(advance(message({ status }), receipt("failed"))).toEqual([])
  })

  it("leaves failed and inbound messages unchanged", () => {
    expect(advance(message({ status: "failed" }), receipt("read"))).toEqual([])
    expect(advance(message({ direction: "inbound", status: "delivered" }), receipt("read"))).toEqual([])
  })

  it("never decreases status or times, for receipts in any order", () => {
    fc.assert(
      fc.property(fc.array(receipts, { maxLength: 12 }), (all) => {
        const reached = advanceAll(message(), all)
        const ranks = reached.map(({ status }) => rank[status])
        expect(ranks).toEqual([...ranks].sort((one, other) => one - other))
        expect(new Set(ranks).size).toBe(ranks.length)
        const last = reached.at(-1)?.message ?? message()
        const times = [last.createdAt, last.sentAt, last.deliveredAt, last.readAt].filter((time) => time !== null)
        expect(times).toEqual([...times].sort((one, other) => one - other))
      })
    )
  })

  it("ends in the same status however receipts are repeated", () => {
    fc.assert(
      fc.property(fc.array(receipts, { maxLength: 8 }), (all) => {
        const once = advanceAll(message(), all).at(-1)?.message
        const twice = advanceAll(
          message(),
          all.flatMap((one) => [one, one])
        ).at(-1)?.message
        expect(twice).toEqual(once)
      })
    )
  })
})
