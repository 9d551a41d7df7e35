import { describe, expect, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import columnsOf from "string-width"
import { cell, layoutOf, rowOf } from "../../src/commands/table.js"

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
    expect(cell("a\r\n\u001b[31mb\u202e")).toBe("a \\u001b[31mb\\u202e")
  })

  it("is aligned", () => {
    const lines = [
      ["ID", "NAME"],
      [id, "Ada"],
      ["-", "Grace 😀"]
    ]
    const layout = layoutOf(lines, null)
    expect(lines.map((line) => rowOf(line, layout))).toEqual([
      `ID${" ".repeat(36)}NAME`,
      `${id}  Ada`,
      `-${" ".repeat(37)}Grace 😀`
    ])
  })

  it("has complete ids where it fits", () => {
    const lines = [
      ["ID", "NAME"],
      [id, "Ada"]
    ]
    expect(rowOf(lines[1] ?? [], layoutOf(lines, 80))).toBe(`${id}  Ada`)
  })

  it("shows the ends of ids and wraps texts in a narrow terminal", () => {
    const lines = [
      ["ID", "STATUS", "BODY"],
      [id, "delivered", "Where is my order 1042? I have waited for it since Monday without an answer."],
      [id, "sent", "x".repeat(90)],
      ["-", "sent", "Thank you"]
    ]
    const layout = layoutOf(lines, 50)
    expect(lines.map((line) => rowOf(line, layout)).join("\n")).toBe(
      [
        "ID            STATUS     BODY",
        "000000000001  delivered  Where is my order 1042? I",
        "                         have waited for it since",
        "                         Monday without an answer.",
        `000000000001  sent       ${"x".repeat(25)}`,
        `                         ${"x".repeat(25)}`,
        `                         ${"x".repeat(25)}`,
        `                         ${"x".repeat(15)}`,
        "-             sent       Thank you"
      ].join("\n")
    )
  })

  it("is neither cut nor wrapped into a pipe", () => {
    const layout = layoutOf(
      [
        ["ID", "BODY"],
        [id, "short"]
      ],
      null
    )
    expect(rowOf([id, "a longer text of a later page"], layout)).toBe(`${id}  a longer text of a later page`)
  })

  it("counts wide characters as two columns, and cuts no character apart", () => {
    const family = "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}"
    const lines = [
      ["BODY", "TO"],
      ["我的订单在哪里".repeat(4), "Ada"],
      [family.repeat(14), "Grace"]
    ]
    const layout = layoutOf(lines, 21)
    expect(lines.flatMap((line) => rowOf(line, layout).split("\n"))).toEqual([
      "BODY            TO",
      "我的订单在哪里  Ada",
      "我的订单在哪里",
      "我的订单在哪里",
      "我的订单在哪里",
      `${family.repeat(7)}  Grace`,
      family.repeat(7)
    ])
  })

  it("fits if its columns can be narrow enough, and always terminates", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 })
    const lines = fc.integer({ min: 1, max: 6 }).chain((columns) =>
      fc.array(fc.array(text, { minLength: columns, maxLength: columns }), {
        minLength: 1,
        maxLength: 5
      })
    )
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 200 }), (rows, room) => {
        const cells = rows.map((row) => row.map(cell))
        const layout = layoutOf(cells, room)
        const shown = cells.flatMap((line) => rowOf(line, layout).split("\n"))
        const widest = Math.max(...shown.map((line) => columnsOf(line)))
        const least = layout.widths.length * 6 + (layout.widths.length - 1) * 2
        expect(widest).toBeLessThanOrEqual(Math.max(room, least))
      })
    )
  })
})
