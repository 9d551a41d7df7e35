import { aMessage, makeTestIds, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { scheduledReceipt, scheduledReceiptJob } from "../../../src/flows/sends/scheduledReceipt.js"
import { second } from "../../../src/model/Instant.js"
import type { Receipt } from "../../../src/model/Message.js"

const message = aMessage({ id: "01900000-0000-7000-8000-0000000000aa" })
const at = someTime + 5 * second
const jobOf = (receipt: Receipt) => scheduledReceiptJob(message, "p1", receipt, someTime, makeTestIds()).row

describe("a scheduled receipt", () => {
  it("is a job of its connection that is due at its time", () => {
    expect(jobOf({ status: "delivered", at, error: null })).toMatchObject({
      workspaceId: message.workspaceId,
      lane: "receipts",
      subject: message.connectionId,
      reference: "p1",
      runAt: at,
      createdAt: someTime
    })
  })
  it.each(["sent", "delivered", "read", "failed"] as const)("with the status %s is read from its job", (status) => {
    const receipt: Receipt = { status, at, error: { code: "provider_error", message: "It was not delivered." } }
    expect(scheduledReceipt(jobOf(receipt))).toEqual(receipt)
    expect(scheduledReceipt(jobOf({ ...receipt, error: null }))).toEqual({ ...receipt, error: null })
  })
  it.each([
    ["of another lane", { to: "+1" }],
    ["without a time", { receipt: { status: "sent", error: null } }],
    ["with another status", { receipt: { status: "queued", at, error: null } }],
    [
      "with an error that the catalogue lacks",
      { receipt: { status: "failed", at, error: { code: "x", message: "" } } }
    ],
    ["with an error without a code", { receipt: { status: "failed", at, error: {} } }]
  ])("is not read from a payload %s", (_, payload) => {
    expect(() => scheduledReceipt({ payload })).toThrow()
  })
})
