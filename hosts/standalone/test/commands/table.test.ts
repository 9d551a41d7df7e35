import { describe, expect, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { cell, lineOf, widthsOf } from "../../src/commands/table.js"

const id = "0190a1b2-0000-7000-8000-000000000001"

describe("a table", () => {
  it("shows short times, and dashes for null", () => {
    expect(cell("2026-11-21T03:59:12.123Z")).toBe("2026-11-21 03:59:12Z")
    expect([null, undefined, "", []].map(cell)).toEqual(["-", "-", "-", "-"])
    expect(cell([{ key: "new", name: "New" }, true])).toBe("key=new, name=New, true")
  })

  it("escapes line breaks and control characters in cells", () => {
    const written = fc.string({
      unit: fc.constantFrom("a", "\n", "\r", "\t", "\u001b[31m", "\u001b]0;", "\u0007", "\u009b", "\u202e", "é", "😀")
    })
    fc.assert(
      fc.property(written, (text) => {
        expect(cell(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      })
    )
  })

  it("is aligned", () => {
    const lines = [
      ["ID", "NAME"],
      [id, "Ada"],
      ["-", "Grace 😀"]
    ]
    const widths = widthsOf(lines, null)
    expect(lines.map((line) => lineOf(line, widths, null))).toEqual([
      `ID${" ".repeat(36)}NAME`,
      `${id}  Ada`,
      `-${" ".repeat(37)}Grace 😀`
    ])
  })

  it("cuts columns in a narrow terminal, except ids", () => {
    const lines = [
      ["ID", "BODY", "URL"],
      [id, "x".repeat(200), "https://shop.example.org/hooks"]
    ]
    const widths = widthsOf(lines, 80)
    const [, shown = ""] = lines.map((line) => lineOf(line, widths, 80))
    expect(shown.length).toBeLessThanOrEqual(80)
    expect(shown).toMatch(new RegExp(`^${id}  x+…  https://\\S*(…|hooks)$`))
  })

  it("fits if its columns can be narrow enough, and always terminates", () => {
    const lines = fc.integer({ min: 1, max: 6 }).chain((columns) =>
      fc.array(fc.array(fc.string({ maxLength: 60 }), { minLength: columns, maxLength: columns }), {
        minLength: 1,
        maxLength: 5
      })
    )
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 200 }), (rows, room) => {
        const cells = rows.map((row) => row.map(cell))
        const widths = widthsOf(cells, room)
        const widest = Math.max(...cells.map((line) => [...lineOf(line, widths, room)].length))
        const least = widths.length * 8 + (widths.length - 1) * 2
        expect(widest).toBeLessThanOrEqual(Math.max(room, least))
      })
    )
  })
})
