import { aConnection, someTime } from "@parley/testkit"
import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { hold, holdConnection, setBack } from "../../src/channels/hold.js"
import { clockTime, ownTime } from "../../src/channels/ownTime.js"

const never = { heldUntil: 0, heldMs: 0 }
const now = someTime

describe("a connection's own time", () => {
  it("is the clock's until it is held", () => {
    expect(ownTime(never, now)).toBe(now)
    expect(clockTime(never, now + 5)).toBe(now + 5)
  })
  it("stands still during a hold, and goes on behind it", () => {
    const held = hold(never, now + 1_000, now, now)
    expect([0, 500, 1_000, 1_700].map((later) => ownTime(held, now + later) - now)).toEqual([0, 0, 0, 700])
    expect(clockTime(held, now + 700)).toBe(now + 1_700)
  })
  it("adds up holds that overlap, once", () => {
    const first = hold(never, now + 1_000, now, now)
    const second = hold(first, now + 1_500, now, now + 800)
    expect(second).toEqual({ heldUntil: now + 1_500, heldMs: 1_500 })
    expect(hold(second, now + 900, now, now + 850)).toEqual(second)
  })
  it("goes on where the send was that is to come again", () => {
    const held = hold(never, now + 1_000, now - 300, now)
    expect(ownTime(held, now + 1_000)).toBe(now - 300)
  })
  it("is held to the next tenth of a second at the least, so that many agree", () => {
    const ends = [1, 20, 99, 100].map((retryAfter) => hold(never, now + retryAfter, now, now).heldUntil)
    expect(new Set(ends)).toEqual(new Set([now + 100]))
  })
  it("never runs faster than the clock, nor ahead of it, whatever is held when", () => {
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
          expect(ownTime(held, at)).toBeLessThanOrEqual(before + after)
          const own = ownTime(held, at)
          const next = hold(held, at + retryAfter, own - back, at)
          expect(next.heldUntil).toBeGreaterThanOrEqual(Math.max(held.heldUntil, at + retryAfter))
          expect(next.heldMs).toBeGreaterThanOrEqual(held.heldMs)
          expect(ownTime(next, next.heldUntil)).toBe(own - back)
          held = next
          before = ownTime(held, at)
          expect(before).toBeLessThanOrEqual(own)
        }
      })
    )
  })
})

describe("setting a connection back", () => {
  it("has its own time go on from there, held or not, and the earliest of several count", () => {
    const connection = aConnection({ heldUntil: now + 1_000, heldMs: 400 })
    for (const at of [now + 500, now + 9_000]) {
      const { bumps, expects } = setBack(connection, now - 70, at)
      const heldMs = bumps?.[0]?.greatest?.heldMs ?? 0
      expect(ownTime({ ...connection, heldMs }, at)).toBe(now - 70)
      expect(expects).toEqual([{ table: "connections", key: { id: connection.id }, where: {} }])
    }
  })
})

describe("holding a connection", () => {
  const connection = aConnection({ heldUntil: 5, heldMs: 3 })
  it("raises what is stored by what it adds, unless others held it meanwhile", () => {
    expect(holdConnection(connection, { heldUntil: 1_000, heldMs: 40 })).toEqual({
      expects: [{ table: "connections", key: { id: connection.id }, where: { heldUntil: 5, heldMs: 3 } }],
      bumps: [{ table: "connections", id: connection.id, greatest: { heldUntil: 1_000 }, add: { heldMs: 37 } }]
    })
  })
  it("writes that its line goes on elsewhere, though it ends at the same moment", () => {
    expect(holdConnection(connection, { heldUntil: 5, heldMs: 40 }).bumps).toMatchObject([{ add: { heldMs: 37 } }])
    expect(holdConnection(connection, { heldUntil: 9, heldMs: 3 }).bumps).toMatchObject([
      { greatest: { heldUntil: 9 } }
    ])
  })
  it("writes nothing where it is held so already", () => {
    expect(holdConnection(connection, { heldUntil: 5, heldMs: 3 })).toEqual({})
  })
})
