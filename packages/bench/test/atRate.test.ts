import { describe, expect, it } from "@effect/vitest"
import { atRate } from "../src/measuring/atRate.js"

describe("atRate", () => {
  it("calls at even distances, not waiting for those before, and is done when all of them are", async () => {
    const due: Array<number> = []
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    let done = 0
    await atRate(1_000, 0.05, async (at) => {
      if (due.push(at) === 50) answer()
      await answered
      done++
    })
    expect(done).toBe(50)
    expect(due.map((at) => Math.round(at - (due[0] ?? 0)))).toEqual(Array.from({ length: 50 }, (_, n) => n))
  })
})
