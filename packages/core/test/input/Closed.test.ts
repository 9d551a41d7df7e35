import { JSONSchema, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { byType, closed, exactlyOne, listOfParts, ruled } from "../../src/input/Closed.js"
import { draft } from "../../src/input/Draft.js"
import { optionalText, requiredText } from "../../src/input/Fields.js"
import { given } from "../../src/input/Patch.js"

const note = closed("note", Schema.Struct({ type: Schema.Literal("note"), text: requiredText(10) }))
const link = closed(
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
const read = draft(Page)

describe("a closed object", () => {
  it("is read by its schema, and written back the same", () => {
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
  it("tells of fields that it does not have, and of what its rules find, together with all else", () => {
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
  it("has one of what excludes each other", () => {
    expect(read({ parts: [{ type: "link", url: "a", go_to: "b" }] }).problems).toEqual({
      "parts.0": ["must have exactly one of url, go_to"]
    })
  })
  it("tells of many fields that it does not have in one sentence", () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, 1]))
    expect(read({ parts: [{ type: "note", text: "b", ...many }] }).problems).toEqual({
      "parts.0": ["must have no fields but type, text"]
    })
  })
  it("is the one that its type says", () => {
    for (const type of ["toString", "__proto__", 5, {}]) {
      expect(read({ parts: [{ type }] }).problems).toEqual({ "parts.0.type": ["must be one of note, link"] })
    }
    expect(read({ parts: [{}, []] }).problems).toEqual({
      "parts.0.type": ["is required"],
      "parts.1": ["must be an object"]
    })
    expect(() => Schema.encodeUnknownSync(part)({ type: "other" })).toThrow()
  })
  it("is counted before it is looked at", () => {
    expect(read({ parts: [1, 2, 3] }).problems).toEqual({ parts: ["must have 1 to 2 items"] })
    expect(read({ parts: {} }).problems).toEqual({ parts: ["must be a list"] })
  })
  it("is described by its schema", () => {
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

describe("a ruled value", () => {
  it("has the problems of its parts and of the whole", () => {
    const list = ruled(Schema.Array(Schema.Number), (value) =>
      Array.isArray(value) && value.length > 1
        ? [
            [[], "must be short"],
            [[1], "must be left out"]
          ]
        : []
    )
    const readList = draft(Schema.Struct({ list }))
    expect(readList({ list: ["x", 1] }).problems).toEqual({
      "list.0": ["must be a number"],
      list: ["must be short"],
      "list.1": ["must be left out"]
    })
    expect(readList({ list: [1] })).toEqual({ value: { list: [1] }, problems: {} })
  })
})
