import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { lengthOf } from "../../../src/kernel/input/Fields.js"
import { storableText } from "../../../src/kernel/text/storableText.js"

describe("storableText", () => {
  it("removes U+0000 and lone surrogates only", () => {
    expect(storableText("a\u0000b\ud800c\udc00d 😀\n", 100)).toBe("abcd 😀\n")
  })
  it("cuts between code points", () => {
    expect(storableText("😀😀😀", 2)).toBe("😀😀")
    expect(storableText("a😀😀", 2)).toBe("a😀")
  })
  it("always returns storable text within the limit", () => {
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
