import { describe, expect, it } from "@effect/vitest"
import { handleNumbers, handleOf, knownContacts, renderedBody, templateBody } from "../src/world/traffic.js"

describe("traffic", () => {
  it("goes to known handles in turn, and to unknown ones once", () => {
    const next = handleNumbers()
    const known = Array.from({ length: knownContacts + 1 }, () => next("known"))
    expect(known.at(-1)).toBe(known[0])
    const unknown = Array.from({ length: 100 }, () => next("unknown"))
    expect(new Set(unknown).size).toBe(100)
    expect(Math.min(...unknown)).toBeGreaterThanOrEqual(knownContacts)
  })

  it("has numbers of one form, with no ending that the sandbox treats as special", () => {
    for (const n of [0, 1, knownContacts, 9_999_999]) expect(handleOf(n)).toMatch(/^\+4915\d{8}9$/)
  })

  it("renders its template", () => {
    expect(templateBody.replace("{{1}}", "Ada").replace("{{2}}", "4711")).toBe(renderedBody)
  })
})
