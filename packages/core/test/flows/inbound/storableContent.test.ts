import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, FastCheck as fc, Schema } from "effect"
import { storableContent } from "../../../src/flows/inbound/storableContent.js"
import { isStorable } from "../../../src/kernel/input/Fields.js"
import { MessageContent } from "../../../src/model/MessageContent.js"
import { describeContent } from "../../../src/resources/messages/describeContent.js"

const content = Arbitrary.make(MessageContent)
const isContent = Schema.is(MessageContent)

const textsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? [...Object.keys(value), ...Object.values(value)].flatMap(textsOf)
      : []

describe("content that is stored", () => {
  it("keeps its shape, is bounded, and has only text that databases take", () => {
    fc.assert(
      fc.property(content, (given) => {
        const stored = storableContent(given)
        expect(isContent(stored)).toBe(true)
        expect(JSON.stringify(stored).length).toBeLessThanOrEqual(65_536)
        for (const text of textsOf(stored)) expect(isStorable(text)).toBe(true)
      })
    )
  })

  it("is unchanged if it is small and storable", () => {
    const order: MessageContent = {
      type: "order",
      catalog: "c",
      items: [{ product: "p", name: null, quantity: 2, price: 1.5, currency: "EUR" }]
    }
    expect(storableContent(order)).toEqual(order)
    expect(describeContent(order)).toBe("2 × p, 1.5 EUR")
  })

  it("is cut in its texts, lists and levels", () => {
    const deep = Array.from({ length: 20 }).reduce<unknown>((inner) => ({ inner }), "end")
    const stored = storableContent({
      type: "form",
      name: "é".repeat(5_000),
      answers: { "a\u0000": "b\ud800", list: Array.from({ length: 300 }, () => 1), deep }
    })
    if (stored.type !== "form") throw new Error("it is not a form")
    expect([...(stored.name ?? "")]).toHaveLength(4_096)
    expect(stored.answers.a).toBe("b")
    expect(stored.answers.list).toHaveLength(200)
    expect(JSON.stringify(stored.answers.deep)).not.toContain("end")
  })
})

describe("the readable text of content", () => {
  it("is not empty, except of an edit", () => {
    const samples: ReadonlyArray<MessageContent> = [
      { type: "location", latitude: 1, longitude: 2, name: null, address: null, url: null },
      { type: "contacts", contacts: [{ name: "Ada", organization: null, phones: ["+49"], emails: [] }] },
      { type: "choices", options: [{ id: "1", title: "Yes", description: null }], button: null },
      { type: "choice", id: null, title: "Yes" },
      { type: "form", name: null, answers: { size: "L", colours: ["red"] } },
      {
        type: "order",
        catalog: null,
        items: [{ product: "p", name: "Bread", quantity: 1, price: null, currency: null }]
      },
      { type: "reaction", emoji: null },
      { type: "deletion" },
      { type: "system", event: "request_welcome" },
      { type: "unsupported", kind: "poll" }
    ]
    expect(samples.map(describeContent)).toEqual([
      "1, 2",
      "Ada\n+49",
      "1. Yes",
      "Yes",
      'size: L\ncolours: ["red"]',
      "1 × Bread",
      "Reaction removed",
      "Message deleted",
      "request_welcome",
      "Unsupported content: poll"
    ])
    expect(describeContent({ type: "edit" })).toBe("")
  })
})
