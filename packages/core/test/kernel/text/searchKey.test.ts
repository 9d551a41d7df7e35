import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { searchKey } from "../../../src/kernel/text/searchKey.js"

describe("search key", () => {
  it("ignores case, accents and width", () => {
    const variants = ["ÉVA ÅS", "éva ås", "E\u0301va A\u030as", "ＥＶＡ ＡＳ"]
    expect(variants.map(searchKey)).toEqual(variants.map(() => "eva as"))
    expect(["ΟΔΥΣΣΕΑΣ", "Οδυσσέας"].map(searchKey)).toEqual(["οδυσσεασ", "οδυσσεασ"])
  })

  it("maps a substring to a substring of the key", () => {
    const character = fc.nat(0xffff).map((point) => String.fromCodePoint(point))
    const letters = fc.array(fc.oneof(fc.constantFrom(..."ΣςσϹİıßẞﷺﬁ한か゛é\u0301K"), character))
    fc.assert(
      fc.property(letters, fc.nat(), fc.nat(), (text, one, other) => {
        const part = text.slice(
          Math.min(one, other) % (text.length + 1),
          (Math.max(one, other) % (text.length + 1)) + 1
        )
        expect(searchKey(text.join(""))).toContain(searchKey(part.join("")))
        expect(searchKey(searchKey(part.join("")))).toBe(searchKey(part.join("")))
      })
    )
  })
})
