import { describe, expect, it } from "@effect/vitest"
import { callers, measure, untilCount } from "../src/measuring/RoundResult.js"

describe("measure", () => {
  it("makes exactly the given number of calls", async () => {
    let made = 0
    const round = await measure(untilCount(1_000), async () => void made++)
    expect(made).toBe(1_000)
    expect(round.count).toBe(1_000)
  })

  it("keeps all callers busy and no more", async () => {
    let busy = 0
    let most = 0
    await measure(untilCount(callers * 3), async () => {
      most = Math.max(most, ++busy)
      await Promise.resolve()
      busy--
    })
    expect(most).toBe(callers)
  })

  it("fails when a call does", async () => {
    await expect(measure(untilCount(1), () => Promise.reject(new Error("refused")))).rejects.toThrow("refused")
  })
})
