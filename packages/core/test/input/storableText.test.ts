import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { lengthOf } from "../../src/input/Fields.js"
import { storableText } from "../../src/input/storableText.js"

describe("text of a vendor", () => {
  it("loses what databases differ on, and nothing else", () => {
    expect(storableText("a\u0000b\ud800c\udc00d 😀\n", 100)).toBe("abcd 😀\n")
  })
  it("is cut between characters", () => {
    expect(storableText("😀😀😀", 2)).toBe("😀😀")
    expect(storableText("a😀😀", 2)).toBe("a😀")
  })
  it("can always be stored", () => {
    const anyText = fc.string({ unit: fc.constantFrom("a", "é", "\u0000", "\ud83d", "\ude00", "😀"), maxLength: 40 })
    fc.assert(
      fc.property(anyText, fc.nat(12), (text, max) => {
        const stored = storableText(text, max)
        expect(lengthOf(stored)).toBeLessThanOrEqual(max)
        expect(stored).not.toMatch(/\0|\p{Cs}/u)
      })
    )
  })
})
