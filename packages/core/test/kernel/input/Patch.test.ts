import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { requiredText, text } from "../../../src/kernel/input/Fields.js"
import { partialDecode } from "../../../src/kernel/input/PartialDecode.js"
import { changeProblems, clearable, given, unchangeable } from "../../../src/kernel/input/Patch.js"

const read = partialDecode(
  Schema.Struct({
    name: given(requiredText(5)),
    note: clearable(text(5)).pipe(Schema.fromKey("a_note")),
    kind: unchangeable
  })
)

describe("patch fields", () => {
  it("returns only the given fields", () => {
    expect(read({})).toEqual({ value: {}, problems: {} })
    expect(read({ name: "Ada" })).toEqual({ value: { name: "Ada" }, problems: {} })
  })
  it("clears clearable fields by null or an empty string", () => {
    expect(read({ a_note: null }).value).toEqual({ note: null })
    expect(read({ a_note: "" }).value).toEqual({ note: null })
    expect(read({ name: null }).problems).toEqual({ name: ["must be a string"] })
  })
  it("validates given fields", () => {
    expect(read({ name: "", a_note: "longer" }).problems).toEqual({
      name: ["is required"],
      a_note: ["must be at most 5 characters"]
    })
  })
  it("accepts an immutable field only with its present value", () => {
    const { kind } = read({ kind: "a" }).value
    expect(changeProblems({ kind: ["a", kind], other: ["b", undefined] })).toEqual({})
    expect(changeProblems({ kind: ["b", kind] })).toEqual({ kind: ["cannot be changed"] })
  })
})
