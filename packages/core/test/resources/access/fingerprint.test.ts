import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
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
