import { aMessage } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import type { Capabilities } from "../../../src/model/Channel.js"
import {
  carriedContent,
  numberedText,
  numbersChoices,
  optionOf
} from "../../../src/resources/messages/numberedChoices.js"

const capabilities: Capabilities = {
  textMaxLength: null,
  templates: false,
  deliveryReceipts: true,
  readReceipts: true,
  serviceWindowHours: null
}
const options = [
  { id: "yes", title: "Yes", description: null },
  { id: "no", title: "No, thanks", description: "you keep it" }
]

describe("numbered choices", () => {
  it("are for channels with texts and without choices", () => {
    expect(numbersChoices(capabilities)).toBe(true)
    expect(numbersChoices({ ...capabilities, types: ["text", "media"] })).toBe(true)
    expect(numbersChoices({ ...capabilities, types: ["text", "choices"] })).toBe(false)
    expect(numbersChoices({ ...capabilities, types: ["media"] })).toBe(false)
  })

  it("have one option a line, with its number and description", () => {
    expect(numberedText("Tea?", options)).toBe("Tea?\n1. Yes\n2. No, thanks: you keep it")
  })

  it("are a text for the provider of a channel without choices only", () => {
    const content = { type: "choices", options, button: null } as const
    const message = aMessage({ id: "m", type: "choices", body: "Tea?", content })
    expect(carriedContent(message, capabilities)).toEqual({
      body: "Tea?\n1. Yes\n2. No, thanks: you keep it",
      content: null
    })
    expect(carriedContent(message, { ...capabilities, types: ["text", "choices"] })).toEqual({ body: "Tea?", content })
  })
})

describe("the option that a text names", () => {
  const named = (text: string, titles = options.map(({ title }) => title)) =>
    optionOf(
      titles.map((title) => ({ title })),
      text
    )?.title

  it("is named by its title, ignoring case, accents and punctuation", () => {
    expect(named(" YES! ")).toBe("Yes")
    expect(named("no, thanks")).toBe("No, thanks")
    expect(named("no")).toBeUndefined()
    expect(named("yes please")).toBeUndefined()
  })

  it("is named by its number", () => {
    expect(named("1")).toBe("Yes")
    expect(named("2.")).toBe("No, thanks")
    for (const text of ["0", "3", "-", "", "1 2", "x".repeat(2_000)]) expect(named(text), text).toBeUndefined()
  })

  it("is named by a title that is a number before its position", () => {
    expect(named("2", ["2", "4"])).toBe("2")
    expect(named("1", ["2", "1"])).toBe("1")
  })

  it("is not named by a title that several have", () => {
    expect(named("same", ["Same", "same"])).toBeUndefined()
    expect(named("2", ["Same", "same"])).toBe("same")
  })
})
