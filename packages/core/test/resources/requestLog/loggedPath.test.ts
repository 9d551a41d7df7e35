import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { loggedPath, maxPathLength } from "../../../src/resources/requestLog/loggedPath.js"

describe("a path in the request log", () => {
  it("is unchanged for paths of the API, ids included", () => {
    const path = "/api/v1/contacts/0190a1b2-0000-7000-8000-000000000001"
    expect(loggedPath(path)).toBe(path)
  })

  it("masks credentials and queries in any spelling", () => {
    const random = "0123456789abcdefghijklmnopqrstuv"
    const put = ["parley_live_", "acme_test_", "parley_at_", "whsec_", "parley%5Flive%5F", ""].map(
      (start) => start + random
    )
    for (const segment of [...put, "%30123456", "x%3FSECRET=1", "x?y=1"]) {
      expect(loggedPath(`/api/v1/${segment}/more`)).toBe("/api/v1/***/more")
    }
  })

  it("is bounded and printable for any request", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (text) => {
        const path = loggedPath(`/${text}`)
        expect(path).toMatch(/^[\x21-\x7e]+$/)
        expect(path.length).toBeLessThanOrEqual(maxPathLength)
      })
    )
  })
})
