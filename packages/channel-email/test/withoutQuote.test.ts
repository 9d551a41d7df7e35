import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { withoutQuote } from "../src/withoutQuote.js"

const names = ["hello@bakery.example", "The Bakery"]

describe("a quote under an answer", () => {
  it("goes with the line that names us", () => {
    const text = "Yes please.\n\nOn Mon, 4 May 2026, The Bakery wrote:\n> Shall we\n> bake it?\n"
    expect(withoutQuote(text, names)).toBe("Yes please.")
  })
  it("goes with a line that was broken into two", () => {
    const text = "Ja gerne.\n\nAm 04.05.2026 um 10:30 schrieb The Bakery\n<hello@bakery.example>:\n\n> Sollen wir?"
    expect(withoutQuote(text, names)).toBe("Ja gerne.")
  })
  it("goes with a line that was broken within the address", () => {
    const text = "Yes.\n\nOn Mon, May 4, 2026 at 10:30 AM The Bakery <\nhello@bakery.example> wrote:\n\n> Shall we?"
    expect(withoutQuote(text, names)).toBe("Yes.")
  })
  it("leaves a customer's own words that end in a colon", () => {
    for (const text of ["My question was:", "I asked The Bakery:", "Yes, 2 please.\nThe Bakery wrote:"]) {
      expect(withoutQuote(`${text}\n> Shall we?`, names)).toBe(text)
    }
  })
  it("stays where words follow it or stand in between", () => {
    for (const text of ["> Shall we?\nYes.", "> Shall we?\nYes.\n> Today?\nNo."])
      expect(withoutQuote(text, names)).toBe(text)
  })
  it("stays where nothing else is there", () => {
    const text = "On 4 May, The Bakery wrote:\n> Shall we?"
    expect(withoutQuote(text, names)).toBe(text)
  })
  it("is the only thing that ever goes", () => {
    const line = FastCheck.constantFrom("> quoted", "", "words", "On 4 May The Bakery wrote:", ">", " ")
    FastCheck.assert(
      FastCheck.property(FastCheck.array(line), (lines) => {
        const text = lines.join("\n")
        const rest = withoutQuote(text, names)
        expect(text.startsWith(rest)).toBe(true)
        expect(text.slice(rest.length)).not.toContain("words")
      })
    )
  })
})
