import { aConnection, someTime } from "@parley/testkit/rows"
import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { recordHold, rewindVirtualTime, throttleHold } from "../../../src/resources/channels/throttleHold.js"
import { clockTime, virtualTime } from "../../../src/resources/channels/virtualTime.js"

const never = { heldUntil: 0, heldMs: 0 }
const now = someTime

describe("the virtual time of a connection", () => {
  it("equals the clock before a hold", () => {
    expect(virtualTime(never, now)).toBe(now)
    expect(clockTime(never, now + 5)).toBe(now + 5)
  })
  it("stands still during a hold and continues after it", () => {
    const held = throttleHold(never, now + 1_000, now, now)
    expect([0, 500, 1_000, 1_700].map((later) => virtualTime(held, now + later) - now)).toEqual([0, 0, 0, 700])
    expect(clockTime(held, now + 700)).toBe(now + 1_700)
  })
  it("counts overlapping holds once", () => {
    const first = throttleHold(never, now + 1_000, now, now)
    const second = throttleHold(first, now + 1_500, now, now + 800)
    expect(second).toEqual({ heldUntil: now + 1_500, heldMs: 1_500 })
    expect(throttleHold(second, now + 900, now, now + 850)).toEqual(second)
  })
  it("continues at the slot of the throttled send", () => {
    const held = throttleHold(never, now + 1_000, now - 300, now)
    expect(virtualTime(held, now + 1_000)).toBe(now - 300)
  })
  it("is held to the next multiple of 100 ms, so that many sends agree", () => {
    const ends = [1, 20, 99, 100].map((retryAfter) => throttleHold(never, now + retryAfter, now, now).heldUntil)
    expect(new Set(ends)).toEqual(new Set([now + 100]))
  })
  it("never runs faster than the clock or ahead of it", () => {
    const holds = FastCheck.array(
      FastCheck.record({
        after: FastCheck.nat(2_000),
        retryAfter: FastCheck.integer({ min: -500, max: 5_000 }),
        back: FastCheck.nat(1_000)
      }),
      { maxLength: 20 }
    )
    FastCheck.assert(
      FastCheck.property(holds, (all) => {
        let [at, held, before] = [now, never, now]
        for (const { after, back, retryAfter } of all) {
          at += after
          expect(virtualTime(held, at)).toBeLessThanOrEqual(before + after)
          const own = virtualTime(held, at)
          const next = throttleHold(held, at + retryAfter, own - back, at)
          expect(next.heldUntil).toBeGreaterThanOrEqual(Math.max(held.heldUntil, at + retryAfter))
          expect(next.heldMs).toBeGreaterThanOrEqual(held.heldMs)
          expect(virtualTime(next, next.heldUntil)).toBe(own - back)
          held = next
          before = virtualTime(held, at)
          expect(before).toBeLessThanOrEqual(own)
        }
      })
    )
  })
})

describe("setting the virtual time back", () => {
  it("continues at the given time, during a hold or not, without a conflict", () => {
    const connection = aConnection({ heldUntil: now + 1_000, heldMs: 400 })
    for (const at of [now + 500, now + 9_000]) {
      const { bumps, expects } = rewindVirtualTime(connection, now - 70, at)
      const heldMs = bumps?.[0]?.greatest?.heldMs ?? 0
      expect(virtualTime({ ...connection, heldMs }, at)).toBe(now - 70)
      expect(expects).toEqual([{ table: "connections", key: { id: connection.id }, where: {} }])
    }
  })
})

describe("recording a hold", () => {
  const connection = aConnection({ heldUntil: 5, heldMs: 3 })
  it("adds the new hold and conflicts with a concurrent one", () => {
    expect(recordHold(connection, { heldUntil: 1_000, heldMs: 40 })).toEqual({
      expects: [{ table: "connections", key: { id: connection.id }, where: { heldUntil: 5, heldMs: 3 } }],
      bumps: [{ table: "connections", id: connection.id, greatest: { heldUntil: 1_000 }, add: { heldMs: 37 } }]
    })
  })
  it("writes a change of the end or of the held time alone", () => {
    expect(recordHold(connection, { heldUntil: 5, heldMs: 40 }).bumps).toMatchObject([{ add: { heldMs: 37 } }])
    expect(recordHold(connection, { heldUntil: 9, heldMs: 3 }).bumps).toMatchObject([{ greatest: { heldUntil: 9 } }])
  })
  it("writes nothing for the same hold", () => {
    expect(recordHold(connection, { heldUntil: 5, heldMs: 3 })).toEqual({})
  })
})
