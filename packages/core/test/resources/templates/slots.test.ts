import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { renderTemplate, slotNames } from "../../../src/resources/templates/slots.js"

describe("slots", () => {
  it("have distinct names by position", () => {
    expect(slotNames({ body: "{{2}} and {{1}} and {{ 2 }} and {{name}} and {1}" })).toEqual(["1", "2"])
    expect(slotNames({ body: "nothing here" })).toEqual([])
  })
  it("put the first variable into the lowest slot", () => {
    expect(renderTemplate({ body: "{{3}} then {{1}}, again {{3}}" }, ["one", "three"])).toBe(
      "three then one, again three"
    )
  })
  it("render variables unchanged, even if they look like slots or patterns", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, two) => {
        expect(renderTemplate({ body: "<{{1}}|{{2}}>" }, [one, two])).toBe(`<${one}|${two}>`)
      })
    )
    expect(renderTemplate({ body: "{{1}} {{2}}" }, ["{{2}}", "$&"])).toBe("{{2}} $&")
  })
})
