import { describe, expect, it } from "@effect/vitest"
import { highestSustainedRate, rates } from "../src/measuring/highestSustainedRate.js"

const upTo = (most: number) => async (rate: number) => rate <= most

describe("highestHeld", () => {
  it.each(rates)("finds %d", async (rate) => {
    expect(await highestSustainedRate(upTo(rate))).toBe(rate)
  })

  it("finds the one below what would be held", async () => {
    expect(await highestSustainedRate(upTo(1_799))).toBe(1_600)
    expect(await highestSustainedRate(upTo(1_000_000))).toBe(rates.at(-1))
  })

  it("finds none, in a few tries", async () => {
    let tries = 0
    expect(await highestSustainedRate(async () => ++tries < 0)).toBe(0)
    expect(tries).toBeLessThan(6)
  })
})
