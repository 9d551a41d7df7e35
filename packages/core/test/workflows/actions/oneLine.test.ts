import { describe, expect, it } from "@effect/vitest"
import { oneLine } from "../../../src/workflows/actions/oneLine.js"

describe("text as one line", () => {
  it("has a blank where lines ended, and none around", () => {
    expect(oneLine("Order 7")).toBe("Order 7")
    expect(oneLine("\r\n Order 7 \r\n\n  again\t\r")).toBe("Order 7 again")
  })

  it("is made of a million blanks in no time", () => {
    const blanks = " ".repeat(1_000_000)
    expect(oneLine(`a${blanks}b`)).toBe(`a${blanks}b`)
    expect(oneLine(blanks)).toBe("")
  })
})
