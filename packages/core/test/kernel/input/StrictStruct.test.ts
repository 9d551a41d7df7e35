import { JSONSchema, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { optionalText, requiredText } from "../../../src/kernel/input/Fields.js"
import { partialDecode } from "../../../src/kernel/input/PartialDecode.js"
import { given } from "../../../src/kernel/input/Patch.js"
import { byType, exactlyOne, listOfParts, strictStruct, withRules } from "../../../src/kernel/input/StrictStruct.js"

const note = strictStruct("note", Schema.Struct({ type: Schema.Literal("note"), text: requiredText(10) }))
const link = strictStruct(
  "link",
  Schema.Struct({
    type: Schema.Literal("link"),
    url: given(requiredText(10)),
    goTo: given(requiredText(10)).pipe(Schema.fromKey("go_to"))
  }),
  exactlyOne("url", "go_to")
)
const part = byType({ note, link }).annotations({ identifier: "Part" })
const Page = Schema.Struct({ title: optionalText(10), parts: listOfParts(part, 2, 1) })
const read = partialDecode(Page)

describe("strict struct", () => {
  it("decodes and encodes by its schema", () => {
    const wire = {
      title: "a",
      parts: [
        { type: "note", text: "b" },
        { type: "link", go_to: "c" }
      ]
    }
    const { problems, value } = read(wire)
    expect(problems).toEqual({})
    expect(value.parts).toEqual([
      { type: "note", text: "b" },
      { type: "link", goTo: "c" }
    ])
    expect(Schema.encodeUnknownSync(Page)(value)).toEqual(wire)
  })
  it("reports unknown fields and rule problems together with all others", () => {
    expect(
      read({
        title: 1,
        extra: 1,
        parts: [
          { type: "note", txt: "b" },
          { type: "link", link: 1 }
        ]
      }).problems
    ).toEqual({
      title: ["must be a string"],
      "parts.0.txt": ["is not a field of note"],
      "parts.0.text": ["is required"],
      "parts.1.link": ["is not a field of link"],
      "parts.1": ["must have exactly one of url, go_to"]
    })
  })
  it("refuses two of several exclusive fields", () => {
    expect(read({ parts: [{ type: "link", url: "a", go_to: "b" }] }).problems).toEqual({
      "parts.0": ["must have exactly one of url, go_to"]
    })
  })
  it("reports many unknown fields in one message", () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, 1]))
    expect(read({ parts: [{ type: "note", text: "b", ...many }] }).problems).toEqual({
      "parts.0": ["must have no fields but type, text"]
    })
  })
  it("selects the union member by type", () => {
    for (const type of ["toString", "__proto__", 5, {}]) {
      expect(read({ parts: [{ type }] }).problems).toEqual({ "parts.0.type": ["must be one of note, link"] })
    }
    expect(read({ parts: [{}, []] }).problems).toEqual({
      "parts.0.type": ["is required"],
      "parts.1": ["must be an object"]
    })
    expect(() => Schema.encodeUnknownSync(part)({ type: "other" })).toThrow()
  })
  it("checks the list length before the items", () => {
    expect(read({ parts: [1, 2, 3] }).problems).toEqual({ parts: ["must have 1 to 2 items"] })
    expect(read({ parts: {} }).problems).toEqual({ parts: ["must be a list"] })
  })
  it("has the JSON Schema of its parts", () => {
    expect(JSONSchema.make(Page)).toMatchObject({
      $defs: {
        Part: {
          anyOf: [
            { type: "object", required: ["type", "text"], properties: { text: { minLength: 1, maxLength: 10 } } },
            { type: "object", required: ["type"], properties: { go_to: { type: "string" } } }
          ]
        }
      },
      properties: { parts: { type: "array", minItems: 1, maxItems: 2, items: { $ref: "#/$defs/Part" } } }
    })
  })
})

describe("schema with rules", () => {
  it("reports problems of the parts and of the whole", () => {
    const list = withRules(Schema.Array(Schema.Number), (value) =>
      Array.isArray(value) && value.length > 1
        ? [
            [[], "must be short"],
            [[1], "must be left out"]
          ]
        : []
    )
    const readList = partialDecode(Schema.Struct({ list }))
    expect(readList({ list: ["x", 1] }).problems).toEqual({
      "list.0": ["must be a number"],
      list: ["must be short"],
      "list.1": ["must be left out"]
    })
    expect(readList({ list: [1] })).toEqual({ value: { list: [1] }, problems: {} })
  })
})
