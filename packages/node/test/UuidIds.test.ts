import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { validate, version } from "uuid"
import * as UuidIds from "../src/UuidIds.js"

const timeOf = (id: string) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)

describe("UuidIds", () => {
  it("generates UUIDs of version 7 that contain the time", () => {
    const id = UuidIds.make().next(1_764_000_000_123)
    expect(validate(id)).toBe(true)
    expect(version(id)).toBe(7)
    expect(timeOf(id)).toBe(1_764_000_000_123)
  })

  it("works from the epoch on", () => {
    const ids = UuidIds.make()
    expect(timeOf(ids.next(0))).toBe(0)
    expect(timeOf(ids.next(1))).toBe(1)
  })

  it("sorts by creation order, however the clock moves", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 200 }), (moments) => {
        const ids = UuidIds.make()
        const made = moments.map((moment) => ids.next(1_764_000_000_000 + moment))
        expect(made).toEqual([...new Set(made)].sort())
      })
    )
  })

  it("generates different ids in two processes at the same time", () => {
    const [one, other] = [UuidIds.make(), UuidIds.make()]
    const made = Array.from({ length: 1_000 }, () => [one.next(5), other.next(5)]).flat()
    expect(new Set(made).size).toBe(2_000)
  })

  it("generates secrets of letters and digits of the requested length", () => {
    const ids = UuidIds.make()
    for (const length of [0, 1, 32, 100]) expect(ids.secret(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
    expect(ids.secret(32)).not.toBe(ids.secret(32))
  })

  it("uses every character of a secret equally often", () => {
    const counts = new Map<string, number>()
    const rateToken = 620_000
    for (const character of UuidIds.make().secret(rateToken)) counts.set(character, (counts.get(character) ?? 0) + 1)
    expect(counts.size).toBe(62)
    // Expected: 10,000 each. 700 is seven standard deviations; a modulo bias would be 25 %.
    for (const count of counts.values()) expect(Math.abs(count - rateToken / 62)).toBeLessThan(700)
  })
})
