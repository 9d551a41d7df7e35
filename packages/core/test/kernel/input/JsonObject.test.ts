import { FastCheck as fc, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { JsonObject, maxDepth } from "../../../src/kernel/input/JsonObject.js"
import { partialDecode } from "../../../src/kernel/input/PartialDecode.js"

const read = partialDecode(Schema.Struct({ config: JsonObject }))
const problemsOf = (config: unknown) => read({ config }).problems

/** Objects or lists nested to this depth. */
const nested = (levels: number, kind: "objects" | "lists", within: unknown = {}): unknown => {
  let value: unknown = within
  for (let level = 1; level < levels; level++) value = kind === "objects" ? { a: value } : [value]
  return value
}

describe("JsonObject", () => {
  it("accepts any shape unchanged", () => {
    const json = JSON.parse('{"a":[1,{"b":null}],"":"ü😀","c":true,"__proto__":{"d":-1.5e300},"constructor":0}')
    const { problems, value } = read({ config: json })
    expect(problems).toEqual({})
    expect(JSON.stringify(value.config)).toBe(JSON.stringify(json))
  })
  it("accepts every storable document within the depth", () => {
    const text = fc.string({ unit: "grapheme" }).filter((some) => !some.includes("\0"))
    const document = fc.dictionary(text, fc.jsonValue({ maxDepth: 5, stringUnit: "grapheme" }))
    const hasNull = (value: unknown): boolean => JSON.stringify(value).includes("\\u0000")
    fc.assert(
      fc.property(
        document.filter((some) => !hasNull(some)),
        (given) => {
          const config = JSON.parse(JSON.stringify(given))
          const { problems, value } = read({ config })
          expect(problems).toEqual({})
          expect(JSON.stringify(value.config)).toBe(JSON.stringify(config))
        }
      )
    )
  })
  it.each([{ a: "\0" }, { a: [{ b: ["\ud800"] }] }, { "\0": 1 }])(
    "refuses text that cannot be stored: %j",
    (config) => {
      expect(problemsOf(config)).toEqual({ config: ["must hold valid Unicode text without U+0000 only"] })
    }
  )
  it("refuses numbers that would be serialised as null", () => {
    expect(problemsOf(JSON.parse('{"a":[1e999]}'))).toEqual({ config: ["must hold numbers below 1.8e308 only"] })
  })
  it("stops at the first problem", () => {
    let reads = 0
    const rest = {
      get a() {
        return reads++
      }
    }
    expect(Object.keys(problemsOf({ text: "\0", rest }))).toEqual(["config"])
    expect(reads).toBe(0)
  })
  it.each([[[]], ["text"], [1], [true]])("refuses %j", (config) => {
    expect(problemsOf(config)).toEqual({ config: ["must be an object"] })
  })
  it("counts objects and lists as levels, itself included, and scalars not", () => {
    const tooDeep = { config: [`must be nested at most ${maxDepth} levels deep`] }
    expect(problemsOf(nested(32, "objects", { a: 1, b: "text" }))).toEqual({})
    expect(problemsOf(nested(33, "objects"))).toEqual(tooDeep)
    expect(problemsOf({ beside: 1, a: nested(31, "lists", []) })).toEqual({})
    expect(problemsOf({ beside: 1, a: nested(32, "lists", []) })).toEqual(tooDeep)
  })
  it.each(["objects", "lists"] as const)("refuses %s nested deeper than the call stack", (kind) => {
    expect(Object.keys(problemsOf({ a: nested(1_000_000, kind) }))).toEqual(["config"])
  })
})
