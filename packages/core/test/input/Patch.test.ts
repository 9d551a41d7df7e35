import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { draft } from "../../src/input/Draft.js"
import { requiredText, text } from "../../src/input/Fields.js"
import { changeProblems, clearable, given, unchangeable } from "../../src/input/Patch.js"

const read = draft(
  Schema.Struct({
    name: given(requiredText(5)),
    note: clearable(text(5)).pipe(Schema.fromKey("a_note")),
    kind: unchangeable
  })
)

describe("a patch", () => {
  it("has only what is given", () => {
    expect(read({})).toEqual({ value: {}, problems: {} })
    expect(read({ name: "Ada" })).toEqual({ value: { name: "Ada" }, problems: {} })
  })
  it("clears by null or an empty string what can be cleared", () => {
    expect(read({ a_note: null }).value).toEqual({ note: null })
    expect(read({ a_note: "" }).value).toEqual({ note: null })
    expect(read({ name: null }).problems).toEqual({ name: ["must be a string"] })
  })
  it("is checked like any input", () => {
    expect(read({ name: "", a_note: "longer" }).problems).toEqual({
      name: ["is required"],
      a_note: ["must be at most 5 characters"]
    })
  })
  it("may repeat what cannot be changed", () => {
    const { kind } = read({ kind: "a" }).value
    expect(changeProblems({ kind: ["a", kind], other: ["b", undefined] })).toEqual({})
    expect(changeProblems({ kind: ["b", kind] })).toEqual({ kind: ["cannot be changed"] })
  })
})
