import { describe, expect, it } from "@effect/vitest"
import { oneLine } from "../../../src/kernel/text/oneLine.js"

describe("oneLine", () => {
  it("joins trimmed lines by one blank", () => {
    expect(oneLine("Order 7")).toBe("Order 7")
    expect(oneLine("\r\n Order 7 \r\n\n  again\t\r")).toBe("Order 7 again")
  })

  it("handles a million blanks in linear time", () => {
    const blanks = " ".repeat(1_000_000)
    expect(oneLine(`a${blanks}b`)).toBe(`a${blanks}b`)
    expect(oneLine(blanks)).toBe("")
  })
})
