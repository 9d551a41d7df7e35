import { expect, it } from "vitest"
import { refuse } from "../../src/errors/Refusal.js"

it("a refusal has no stack trace, and the errors after it have one", () => {
  const { message, stack } = refuse("not_found")
  expect(stack).toBe(`Refusal: ${message}`)
  expect(new Error("a defect").stack).toContain("Refusal.test.ts")
})
