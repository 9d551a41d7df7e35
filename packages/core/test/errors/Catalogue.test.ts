import { describe, expect, it } from "vitest"
import { errorCodes } from "../../src/errors/Catalogue.js"
import { refuse } from "../../src/errors/Refusal.js"

describe("the catalogue", () => {
  it("has a plain sentence for every code", () => {
    for (const code of errorCodes) {
      const { message } = refuse(code)
      expect(message).toMatch(/^[A-Z].*[^\s.]\.$/)
      expect(message).not.toMatch(/details|[`]/)
    }
  })
})
