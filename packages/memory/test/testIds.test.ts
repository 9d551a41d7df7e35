import { describe, expect, it } from "@effect/vitest"
import { makeTestIds } from "../src/testIds.js"

describe("makeTestIds", () => {
  it("makes version 7 UUIDs that sort in the order of creation", () => {
    const ids = makeTestIds(3)
    const made = [5, 5, 4, 1_780_000_000_000, 9].map((now) => ids.next(now))
    for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect([...made].sort()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
  })

  it("makes the same ids in every run, and others for another seed", () => {
    const first = (seed: number) => makeTestIds(seed).next(7)
    expect(first(1)).toBe(first(1))
    expect(first(1)).not.toBe(first(2))
  })

  it("makes different secrets of the requested length", () => {
    const ids = makeTestIds()
    const made = Array.from({ length: 20 }, () => ids.secret(32))
    expect(made.every((secret) => /^[0-9A-Za-z]{32}$/.test(secret))).toBe(true)
    expect(new Set(made).size).toBe(20)
  })
})
