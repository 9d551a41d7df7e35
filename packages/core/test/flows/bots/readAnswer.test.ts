import { Either, FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { readAnswer } from "../../../src/flows/bots/readAnswer.js"
import type { Expected } from "../../../src/model/Script.js"

const kept = (expected: Expected, written: string) =>
  Either.match(readAnswer(expected, { body: written, content: null }), {
    onLeft: (message) => ({ message }),
    onRight: ({ value }) => value
  })
const wanted = (expected: Expected, written: string) =>
  Either.getOrThrow(Either.flip(readAnswer(expected, { body: written, content: null })))

const sizes: Expected = {
  type: "choice",
  choices: [
    { value: "s", text: "Small", goTo: null },
    { value: "m", text: "Médium size", goTo: "more" },
    { value: "two", text: "1", goTo: null }
  ]
}

describe("an answer to a question", () => {
  it("matches a choice by text, number or value", () => {
    expect(kept(sizes, " small! ")).toBe("s")
    expect(kept(sizes, "medium  SIZE")).toBe("m")
    expect(kept(sizes, "M")).toBe("m")
    expect(kept(sizes, "2.")).toBe("m")
    expect(kept(sizes, "3)")).toBe("two")
    expect(Either.getOrThrow(readAnswer(sizes, { body: "2", content: null })).goTo).toBe("more")
  })
  it("prefers the choice whose value is the id of the pressed option", () => {
    const pressed = (id: string | null) => ({ body: "1", content: { type: "choice", id, title: "1" } as const })
    expect(Either.getOrThrow(readAnswer(sizes, pressed("m")))).toEqual({ value: "m", goTo: "more" })
    expect(Either.getOrThrow(readAnswer(sizes, pressed("of another question"))).value).toBe("two")
    expect(Either.getOrThrow(readAnswer(sizes, pressed(null))).value).toBe("two")
  })
  it("prefers a choice with this text over the one with this number", () => {
    expect(kept(sizes, "1")).toBe("two")
  })
  it("refuses text that matches no choice", () => {
    for (const written of ["", "  ", "0", "4", "large", "small please", "!!", "s".repeat(2_000)]) {
      expect(wanted(sizes, written)).toBe("Please answer with one of these:")
    }
  })
  it("accepts trimmed text up to the maximum length", () => {
    const text: Expected = { type: "text", maxLength: 5 }
    expect(kept(text, " Ada\n")).toBe("Ada")
    expect(kept(text, "🙂🙂🙂🙂🙂")).toBe("🙂🙂🙂🙂🙂")
    for (const written of ["", " ", "Lovelace"]) {
      expect(wanted(text, written)).toBe("Please answer in at most 5 characters.")
    }
  })
  it("accepts decimal numbers within bounds", () => {
    const number: Expected = { type: "number", min: null, max: null }
    for (const [written, value] of [
      ["12", 12],
      ["-3,5", -3.5],
      ["+0.25", 0.25],
      ["0,125", 0.125],
      ["1.2345", 1.2345]
    ] as const) {
      expect(kept(number, written)).toBe(value)
    }
    const bounded: Expected = { type: "number", min: 1, max: 10 }
    expect(kept(bounded, "10")).toBe(10)
    for (const written of ["0", "11", "", "ten", "1e3", "0x10", "Infinity", "NaN", "5 or 6"]) {
      expect(wanted(bounded, written)).toBe("Please answer with a number from 1 to 10, such as 1.")
    }
  })
  it("refuses numbers with an ambiguous separator", () => {
    for (const written of ["1,000", "1.000", "12.345"]) {
      expect(wanted({ type: "number", min: null, max: 5 }, written)).toBe(
        "Please answer with a number of at most 5, such as 5."
      )
    }
  })
  it("accepts and normalises email addresses and phone numbers", () => {
    expect(kept({ type: "email" }, " Ada@Example.org ")).toBe("ada@example.org")
    expect(wanted({ type: "email" }, "ada")).toBe("Please answer with an email address.")
    expect(kept({ type: "phone" }, "0049 (170) 123-4567")).toBe("+491701234567")
    expect(wanted({ type: "phone" }, "0170 1234567")).toContain("+49")
  })
  it("accepts existing dates", () => {
    expect(kept({ type: "date" }, "2026-5-4")).toBe("2026-05-04")
    expect(kept({ type: "date" }, "29.2.2028")).toBe("2028-02-29")
    expect(kept({ type: "date" }, "4. 5. 2026")).toBe("2026-05-04")
    for (const written of ["29.2.2027", "2026-13-01", "5/4/2026", "tomorrow", "4.5.26", ""]) {
      expect(wanted({ type: "date" }, written)).toBe("Please answer with a date, such as 2026-05-04.")
    }
  })
  it("accepts yes and no in several languages", () => {
    for (const written of ["Yes", "ja!", "Sí", "да", "はい"]) expect(kept({ type: "yes_no" }, written)).toBe(true)
    for (const written of ["no", "Nein.", "não", "нет"]) expect(kept({ type: "yes_no" }, written)).toBe(false)
    for (const written of ["", "maybe", "yes and no"]) {
      expect(wanted({ type: "yes_no" }, written)).toBe("Please answer with yes or no.")
    }
  })
  it("returns a value or a hint for any text", () => {
    const expected = fc.constantFrom<Expected>(
      sizes,
      { type: "text", maxLength: 20 },
      { type: "number", min: 0, max: null },
      { type: "email" },
      { type: "phone" },
      { type: "date" },
      { type: "yes_no" }
    )
    fc.assert(
      fc.property(expected, fc.string({ unit: "binary", maxLength: 300 }), (expected, written) => {
        const read = readAnswer(expected, { body: written, content: null })
        if (Either.isLeft(read)) expect(read.left).toMatch(/^Please answer /)
        else expect(read.right.value === "" || Number.isNaN(read.right.value)).toBe(false)
      })
    )
  })
})
