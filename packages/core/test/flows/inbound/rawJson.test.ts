import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { rawJson } from "../../../src/flows/inbound/rawJson.js"

const deep = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`)

describe("the raw JSON of an unknown event", () => {
  it("is serialised unchanged", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => rawJson(value) === JSON.stringify(value)))
  })
  it("is cut at 100 levels", () => {
    const value = { before: 1, nested: deep(100_000), list: [{ a: deep(100_000) }, "after"], ["__proto__"]: "own" }
    const kept = JSON.parse(rawJson(value))
    expect(kept).toMatchObject({ before: 1, list: [{}, "after"] })
    expect(Object.entries(kept).at(-1)).toEqual(["__proto__", "own"])
    const [, levels = ""] = /"nested":(\[*)null/.exec(rawJson(value)) ?? []
    expect(levels).toHaveLength(99)
  })
})
