import { aConnection, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { progressOf, type SendProgress } from "../../../src/flows/sends/SendProgress.js"
import { maxLateMs, SendReadiness, sendReadiness } from "../../../src/flows/sends/sendReadiness.js"
import { minute, second } from "../../../src/model/Instant.js"

const now = someTime
const rate = { messages: 10, per: second, burst: 2 }
const both = { connection: rate, recipient: { messages: 1, per: 6 * second, burst: 45 } }
const connection = aConnection({ heldUntil: 0, heldMs: 0 })
const held = { ...connection, heldUntil: now + 700, heldMs: 2_000 }
const progress = (given: Partial<SendProgress> = {}) => progressOf({ payload: { to: "+1", ...given } })
const goes = SendReadiness.Now()

describe("sendReadiness", () => {
  it("is immediate without rate and hold", () => {
    expect(sendReadiness(connection, null, progress(), now)).toEqual(goes)
    expect(sendReadiness(connection, { connection: null, recipient: null }, progress(), now)).toEqual(goes)
    // At the beginning of simulated time too, and with slots from the time of a rate.
    expect(sendReadiness(connection, null, progress(), 0)).toEqual(goes)
    expect(sendReadiness(connection, null, progress({ recipientSlot: now + 30, slot: now + 30 }), now)).toEqual(goes)
  })
  it("reserves a slot in the recipient's queue, then in the connection's", () => {
    const first = sendReadiness(connection, both, progress(), now)
    expect(first).toMatchObject({ field: "recipientSlot", reservation: { ...both.recipient, now, behind: 0 } })
    const second = sendReadiness(connection, both, progress({ recipientSlot: now }), now)
    expect(second).toMatchObject({ field: "slot", reservation: { ...rate, key: connection.id, now } })
    expect(sendReadiness(connection, both, progress({ recipientSlot: now, slot: now }), now)).toEqual(goes)
  })
  it("reserves no slot of the connection if only recipients have a rate", () => {
    const rates = { ...both, connection: null }
    expect(sendReadiness(connection, rates, progress(), now)).toMatchObject({ field: "recipientSlot" })
    expect(sendReadiness(connection, rates, progress({ recipientSlot: now }), now)).toEqual(goes)
  })
  it("has a queue per recipient with a hashed key", () => {
    const keyOf = (to: string) => {
      const step = sendReadiness(connection, both, progress({ to }), now)
      return step._tag === "Reserve" ? step.reservation.key : ""
    }
    expect(new Set([keyOf("+491701"), keyOf("+491702"), keyOf("+491701")]).size).toBe(2)
    expect(keyOf("+491701")).not.toContain("491701")
  })
  it("waits for its slot in either queue", () => {
    const later = SendReadiness.Later({ until: now + 30 })
    expect(sendReadiness(connection, both, progress({ recipientSlot: now + 30 }), now)).toEqual(later)
    expect(sendReadiness(connection, both, progress({ recipientSlot: now, slot: now + 30 }), now)).toEqual(later)
  })
  it("rewinds the queue after a slot missed by more than the limit", () => {
    const at = (slots: Partial<SendProgress>) => sendReadiness(connection, both, progress(slots), now)
    const [late, tooLate] = [now - maxLateMs, now - maxLateMs - 1]
    expect(at({ slot: late, recipientSlot: tooLate })).toEqual(goes)
    expect(at({ slot: tooLate, recipientSlot: late })).toEqual(SendReadiness.Rewind({ to: tooLate }))
    expect(maxLateMs).toBe(500)
    expect(at({ recipientSlot: tooLate })).toEqual(SendReadiness.Rewind({ to: tooLate }))
  })
  it("keeps its distance to the end of a hold", () => {
    const own = now + 700 - 2_000
    const rates = { ...both, recipient: null }
    expect(sendReadiness(held, rates, progress({ slot: own - 10 }), now)).toEqual(
      SendReadiness.Later({ until: now + 700 })
    )
    expect(sendReadiness(held, rates, progress({ slot: own + 40 }), now)).toEqual(
      SendReadiness.Later({ until: now + 740 })
    )
    expect(sendReadiness(held, rates, progress({ slot: own + 40 }), now + 740)).toEqual(goes)
    expect(sendReadiness(held, rates, progress({ slot: own - 10 }), now + 700)).toEqual(goes)
    expect(sendReadiness(held, rates, progress(), now)).toMatchObject({ reservation: { now: own, behind: 2_000 } })
  })
  it("uses a slow rate for a while after a hold without a rate", () => {
    for (const at of [now, now + 700 + minute - 1]) {
      expect(sendReadiness(held, null, progress(), at)).toMatchObject({
        field: "slot",
        reservation: { key: connection.id, messages: 100, per: second, burst: 10 }
      })
    }
    expect(sendReadiness(held, null, progress(), now + 700 + minute)).toEqual(goes)
  })
})
