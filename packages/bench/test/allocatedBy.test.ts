import { describe, expect, it } from "@effect/vitest"
import { allocated, allocatedBy } from "../src/measuring/allocatedBy.js"

describe("allocatedBy", () => {
  it("adds what was allocated between collections", () => {
    const collections = [
      { before: 150, after: 40 },
      { before: 140, after: 60 }
    ]
    expect(allocated(100, collections, 75)).toBe(50 + 100 + 15)
  })

  it("counts what a task allocated and no longer holds", async () => {
    const pieces = 20_000
    const bytes = await allocatedBy(async () => {
      // Lists of 100 numbers that are not small integers: at least 800 bytes each.
      for (let n = 0; n < pieces; n++) Array.from({ length: 100 }, (_, i) => i + n / 7)
    })
    expect(bytes).toBeGreaterThan(pieces * 800)
  })
})
