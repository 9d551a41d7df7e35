import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { folded } from "../../src/contacts/folded.js"

describe("folded", () => {
  it("knows neither case nor accents", () => {
    const spellings = ["ÉVA ÅS", "éva ås", "E\u0301va A\u030as", "ＥＶＡ ＡＳ"]
    expect(spellings.map(folded)).toEqual(spellings.map(() => "eva as"))
    expect(["ΟΔΥΣΣΕΑΣ", "Οδυσσέας"].map(folded)).toEqual(["οδυσσεασ", "οδυσσεασ"])
  })

  it("folds every part of a text to that part of its key", () => {
    const character = fc.nat(0xffff).map((point) => String.fromCodePoint(point))
    const letters = fc.array(fc.oneof(fc.constantFrom(..."ΣςσϹİıßẞﷺﬁ한か゛é\u0301K"), character))
    fc.assert(
      fc.property(letters, fc.nat(), fc.nat(), (text, one, other) => {
        const part = text.slice(
          Math.min(one, other) % (text.length + 1),
          (Math.max(one, other) % (text.length + 1)) + 1
        )
        expect(folded(text.join(""))).toContain(folded(part.join("")))
        expect(folded(folded(part.join("")))).toBe(folded(part.join("")))
      })
    )
  })
})
