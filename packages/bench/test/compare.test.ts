import { describe, expect, it } from "@effect/vitest"
import { compare, median } from "../src/measuring/compare.js"
import { rateOf } from "../src/measuring/RoundResult.js"

describe("compare", () => {
  it("lets the sides take turns", async () => {
    const order: Array<string> = []
    const side = (name: string) => async () => {
      order.push(name)
      return rateOf(order.length, 1_000, null)
    }
    const { floor, ours } = await compare(3, side("ours"), side("floor"))
    expect(order).toEqual(["ours", "floor", "ours", "floor", "ours", "floor"])
    expect(ours.map(({ count }) => count)).toEqual([1, 3, 5])
    expect(floor.map(({ count }) => count)).toEqual([2, 4, 6])
  })

  it("does without a second side", async () => {
    const { floor, ours } = await compare(2, async () => rateOf(1, 500, 10), null)
    expect(ours.map(({ perSecond }) => perSecond)).toEqual([2, 2])
    expect(floor).toEqual([])
  })

  it("takes the middle value", () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([1, 9])).toBe(9)
  })
})
