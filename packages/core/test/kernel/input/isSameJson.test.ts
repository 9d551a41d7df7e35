import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { isSameJson } from "../../../src/kernel/input/isSameJson.js"

const reversed = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reversed)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .map(([key, inner]) => [key, reversed(inner)])
            .reverse()
        )
      : value

describe("isSameJson", () => {
  it("ignores identity and the order of fields", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => isSameJson(value, reversed(JSON.parse(JSON.stringify(value))))))
  })
  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }, { b: 1 }],
    [{}, []],
    [
      [1, 2],
      [2, 1]
    ],
    [[], null],
    [{ a: null }, { b: null }],
    [{ toString: null }, { a: null }],
    ["1", 1]
  ])("distinguishes %j and %j", (one, other) => {
    expect(isSameJson(one, other)).toBe(false)
    expect(isSameJson(other, one)).toBe(false)
  })
})
