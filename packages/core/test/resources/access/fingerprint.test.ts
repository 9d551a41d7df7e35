import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { parseJson } from "../../../src/kernel/input/exactNumbers.js"
import { fingerprint } from "../../../src/resources/access/fingerprint.js"

const shuffled = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shuffled)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .map(([key, field]) => [key, shuffled(field)] as const)
            .reverse()
        )
      : value

describe("fingerprint", () => {
  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(fingerprint("POST", "/messages", shuffled(body))).toBe(fingerprint("POST", "/messages", body))
      })
    )
  })
  it("differs by digits that doubles do not hold", () => {
    const prints = [
      '{"a":12345678901234567891}',
      '{"a":12345678901234567892}',
      '{"a":[12345678901234567891]}',
      '{"a":[12345678901234567892]}',
      '{"a":{"b":12345678901234567891}}'
    ].map((text) => fingerprint("POST", "/events", parseJson(text)))
    expect(new Set(prints).size).toBe(5)
    const [one, other] = ['{"a":12345678901234567891,"b":1}', '{ "b": 1, "a": 12345678901234567891 }'].map((text) =>
      fingerprint("POST", "/events", parseJson(text))
    )
    expect(one).toBe(other)
  })
  it("differs by method, path and every value", () => {
    const prints = [
      fingerprint("POST", "/messages", { a: 1 }),
      fingerprint("POST", "/contacts", { a: 1 }),
      fingerprint("PUT", "/messages", { a: 1 }),
      fingerprint("POST", "/messages", { a: "1" }),
      fingerprint("POST", "/messages", { a: [1] }),
      fingerprint("POST", "/messages", { a: null }),
      fingerprint("POST", "/messages", {}),
      fingerprint("POST", "/messages", { a: 1, b: 2 }),
      fingerprint("POST", "/messages", ["a", 1])
    ]
    expect(new Set(prints).size).toBe(prints.length)
  })
})
