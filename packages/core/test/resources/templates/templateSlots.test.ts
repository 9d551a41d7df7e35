import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { renderMail, renderTemplate, slotNames } from "../../../src/resources/templates/templateSlots.js"

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
  it("fill a subject of one line, and HTML with text that is escaped", () => {
    const mail = { subject: "For {{1}}", html: "<p>{{1}} & {{2}}</p>" }
    const parts = { header: null, footer: null, buttons: [], named: false, mail }
    const template = { body: "{{2}}", parts }
    expect(renderMail(template, ["<Ada>\r\nBcc: x", "1"])).toEqual({
      subject: "For <Ada> Bcc: x",
      html: "<p>&lt;Ada&gt;\r\nBcc: x & 1</p>"
    })
    expect(renderTemplate(template, ["Ada", "1"])).toBe("1")
    expect(renderMail({ body: "" }, [])).toEqual({ subject: null, html: null })
  })
})
