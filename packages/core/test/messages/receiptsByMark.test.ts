import { aConversation, someTime } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { raiseMarks } from "../../src/inbound/raiseMarks.js"
import { clockTolerance, receiptsByMark } from "../../src/messages/receiptsByMark.js"

const marks = (deliveredUpTo: number, readUpTo: number) => ({ deliveredUpTo, readUpTo })
const statuses = (deliveredUpTo: number, readUpTo: number, handedOverAt: number) =>
  receiptsByMark(marks(deliveredUpTo, readUpTo), handedOverAt).map(({ at, status }) => [status, at])

describe("the marks of a conversation", () => {
  it("tell of what was handed over before them, by a clock that may be behind", () => {
    const at = someTime
    expect(statuses(at, at - 9_000, at - 10_000)).toEqual([
      ["delivered", at],
      ["read", at - 9_000]
    ])
    expect(statuses(at, at - 9_000, at)).toEqual([["delivered", at]])
    expect(statuses(at, at, at + clockTolerance)).toHaveLength(2)
    expect(statuses(at, at, at + clockTolerance + 1)).toEqual([])
  })
  it("tell nothing where there are none", () => {
    expect(statuses(0, 0, 1)).toEqual([])
  })

  const conversation = aConversation({ deliveredUpTo: 10, readUpTo: 5 })
  const raised = (status: "delivered" | "read", upTo: number) => {
    const { changes, result } = raiseMarks(conversation, { status, upTo })
    return {
      bumps: changes?.bumps.map(({ greatest }) => greatest),
      ...marks(result?.deliveredUpTo ?? 0, result?.readUpTo ?? 0)
    }
  }
  it("are raised by a receipt that names a time: what is read is delivered too", () => {
    expect(raised("delivered", 20)).toEqual({ bumps: [marks(20, 5)], ...marks(20, 5) })
    expect(raised("read", 20)).toEqual({ bumps: [marks(20, 20)], ...marks(20, 20) })
    expect(raised("read", 7)).toEqual({ bumps: [marks(10, 7)], ...marks(10, 7) })
  })
  it("never go back", () => {
    expect(raised("delivered", 9)).toEqual({ bumps: undefined, ...marks(10, 5) })
    expect(raised("read", 5)).toEqual({ bumps: undefined, ...marks(10, 5) })
  })
  it("are none where nothing was said", () => {
    expect(raiseMarks(undefined, { status: "read", upTo: 5 })).toEqual({ changes: null, result: undefined })
  })
})
