import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { loggedPath, mostOfPath } from "../../src/requests/loggedPath.js"

describe("a path in the request log", () => {
  it("is as it was asked for, ids included", () => {
    const path = "/api/v1/contacts/0190a1b2-0000-7000-8000-000000000001"
    expect(loggedPath(path)).toBe(path)
  })

  it("does not hold a credential that was put there", () => {
    const random = "0123456789abcdefghijklmnopqrstuv"
    for (const start of ["parley_live", "acme_test", "parley_at", "parley_secret", "whsec"]) {
      expect(loggedPath(`/api/v1/${start}_${random}/more`)).toBe(`/api/v1/${start}_***/more`)
    }
  })

  it("is bounded and printable, whatever was asked", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (text) => {
        const path = loggedPath(`/${text}`)
        expect(path).toMatch(/^[\x21-\x7e]+$/)
        expect(path.length).toBeLessThanOrEqual(mostOfPath)
      })
    )
  })
})
