import { describe, expect, it } from "vitest"
import { decimalNumber } from "../../../src/kernel/text/decimalNumber.js"

describe("a decimal number", () => {
  it("is read from a text", () => {
    const texts = ["0", "-12.50", "+7", ".5", "5.", "1.2E+05", "1e-7", "007"]
    expect(texts.map(decimalNumber)).toEqual([0, -12.5, 7, 0.5, 5, 120_000, 1e-7, 7])
  })
  it("takes time in proportion to its length only", () => {
    // With backtracking, this takes minutes.
    expect(decimalNumber(`${"1".repeat(200_000)}x`)).toBeNull()
  })
  it("is in no other notation", () => {
    for (const text of [
      "",
      " ",
      "0x1F",
      "0b11",
      "0o17",
      "Infinity",
      "1e999",
      "1,5",
      "1_000",
      "1 000",
      "1.2.3",
      ".",
      "e5",
      "12€"
    ]) {
      expect(decimalNumber(text), text).toBeNull()
    }
  })
})
