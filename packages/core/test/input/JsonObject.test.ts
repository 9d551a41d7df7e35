import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { draft } from "../../src/input/Draft.js"
import { JsonObject } from "../../src/input/JsonObject.js"

const read = draft(Schema.Struct({ config: JsonObject }))

describe("a JSON object", () => {
  it("has any shape", () => {
    const config = { a: [1, { b: null }], "": "ü😀", c: true }
    expect(read({ config })).toEqual({ value: { config }, problems: {} })
  })
  it.each([{ a: "\0" }, { a: [{ b: ["\ud800"] }] }, { "\0": 1 }])(
    "refuses text that cannot be stored: %j",
    (config) => {
      expect(read({ config }).problems).toEqual({ config: ["must hold valid Unicode text without U+0000 only"] })
    }
  )
  it.each([[[]], ["text"], [1]])("refuses %j", (config) => {
    expect(Object.keys(read({ config }).problems)).toEqual(["config"])
  })
})
