import { aConversation, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { raiseWatermarks } from "../../../src/flows/inbound/raiseWatermarks.js"
import { clockTolerance, receiptsByWatermark } from "../../../src/resources/messages/receiptsByWatermark.js"

const marks = (deliveredUpTo: number, readUpTo: number) => ({ deliveredUpTo, readUpTo })
const statuses = (deliveredUpTo: number, readUpTo: number, handedOverAt: number) =>
  receiptsByWatermark(marks(deliveredUpTo, readUpTo), handedOverAt).map(({ at, status }) => [status, at])

describe("the watermarks of a conversation", () => {
  it("cover messages that were handed over before them, with tolerance for clock lag", () => {
    const at = someTime
    expect(statuses(at, at - 9_000, at - 10_000)).toEqual([
      ["delivered", at],
      ["read", at - 9_000]
    ])
    expect(statuses(at, at - 9_000, at)).toEqual([["delivered", at]])
    expect(statuses(at, at, at + clockTolerance)).toHaveLength(2)
    expect(statuses(at, at, at + clockTolerance + 1)).toEqual([])
  })
  it("cover messages that were handed over up to two seconds later", () => {
    expect(clockTolerance).toBe(2_000)
  })
  it("cover nothing if absent", () => {
    expect(statuses(0, 0, 1)).toEqual([])
  })

  const conversation = aConversation({ deliveredUpTo: 10, readUpTo: 5 })
  const raised = (status: "delivered" | "read", upTo: number) => {
    const { changes, result } = raiseWatermarks(conversation, { status, upTo })
    return {
      bumps: changes?.bumps.map(({ greatest }) => greatest),
      ...marks(result?.deliveredUpTo ?? 0, result?.readUpTo ?? 0)
    }
  }
  it("are raised by a watermark receipt: read implies delivered", () => {
    expect(raised("delivered", 20)).toEqual({ bumps: [marks(20, 5)], ...marks(20, 5) })
    expect(raised("read", 20)).toEqual({ bumps: [marks(20, 20)], ...marks(20, 20) })
    expect(raised("read", 7)).toEqual({ bumps: [marks(10, 7)], ...marks(10, 7) })
  })
  it("never decrease", () => {
    expect(raised("delivered", 9)).toEqual({ bumps: undefined, ...marks(10, 5) })
    expect(raised("read", 5)).toEqual({ bumps: undefined, ...marks(10, 5) })
  })
  it("are absent without a conversation", () => {
    expect(raiseWatermarks(undefined, { status: "read", upTo: 5 })).toEqual({ changes: null, result: undefined })
  })
})
