import { aConnection, someTime } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { minute, second } from "../../src/Instant.js"
import { Departure, departure, mostLate } from "../../src/sends/departure.js"
import { progressOf, type SendProgress } from "../../src/sends/SendProgress.js"

const now = someTime
const rate = { messages: 10, per: second, burst: 2 }
const both = { connection: rate, recipient: { messages: 1, per: 6 * second, burst: 45 } }
const connection = aConnection({ heldUntil: 0, heldMs: 0 })
const held = { ...connection, heldUntil: now + 700, heldMs: 2_000 }
const progress = (given: Partial<SendProgress> = {}) => progressOf({ payload: { to: "+1", ...given } })
const goes = Departure.Now()

describe("departure", () => {
  it("is at once where there is neither rate nor hold", () => {
    expect(departure(connection, null, progress(), now)).toEqual(goes)
    expect(departure(connection, { connection: null, recipient: null }, progress(), now)).toEqual(goes)
  })
  it("takes a place in the recipient's line, then in the connection's", () => {
    const first = departure(connection, both, progress(), now)
    expect(first).toMatchObject({ place: "recipientSlot", reservation: { ...both.recipient, now, behind: 0 } })
    const second = departure(connection, both, progress({ recipientSlot: now }), now)
    expect(second).toMatchObject({ place: "slot", reservation: { ...rate, key: connection.id, now } })
    expect(departure(connection, both, progress({ recipientSlot: now, slot: now }), now)).toEqual(goes)
  })
  it("has a line for each recipient, whose name does not tell them", () => {
    const keyOf = (to: string) => {
      const step = departure(connection, both, progress({ to }), now)
      return step._tag === "Reserve" ? step.reservation.key : ""
    }
    expect(new Set([keyOf("+491701"), keyOf("+491702"), keyOf("+491701")]).size).toBe(2)
    expect(keyOf("+491701")).not.toContain("491701")
  })
  it("waits for its slot in either line", () => {
    const later = Departure.Later({ until: now + 30 })
    expect(departure(connection, both, progress({ recipientSlot: now + 30 }), now)).toEqual(later)
    expect(departure(connection, both, progress({ recipientSlot: now, slot: now + 30 }), now)).toEqual(later)
  })
  it("sets the line back where it missed its slot by far, so that no backlog goes at once", () => {
    const at = (slots: Partial<SendProgress>) => departure(connection, both, progress(slots), now)
    const [late, tooLate] = [now - mostLate, now - mostLate - 1]
    expect(at({ slot: late, recipientSlot: tooLate })).toEqual(goes)
    expect(at({ slot: tooLate, recipientSlot: late })).toEqual(Departure.SetBack({ to: tooLate }))
    expect(at({ recipientSlot: tooLate })).toEqual(Departure.SetBack({ to: tooLate }))
  })
  it("waits for the end of a hold, at its distance behind it", () => {
    const own = now + 700 - 2_000
    const rates = { ...both, recipient: null }
    expect(departure(held, rates, progress({ slot: own - 10 }), now)).toEqual(Departure.Later({ until: now + 700 }))
    expect(departure(held, rates, progress({ slot: own + 40 }), now)).toEqual(Departure.Later({ until: now + 740 }))
    expect(departure(held, rates, progress({ slot: own + 40 }), now + 740)).toEqual(goes)
    expect(departure(held, rates, progress(), now)).toMatchObject({ reservation: { now: own, behind: 2_000 } })
  })
  it("goes slowly for a while after a hold where there is no rate", () => {
    for (const at of [now, now + 700 + minute - 1]) {
      expect(departure(held, null, progress(), at)).toMatchObject({ _tag: "Reserve", place: "slot" })
    }
    expect(departure(held, null, progress(), now + 700 + minute)).toEqual(goes)
  })
})
