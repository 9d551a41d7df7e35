import { describe, expect, it } from "vitest"
import { sourceOf } from "../src/mutants/bundleMutant.js"
import { mutants } from "../src/mutants/mutants.js"

describe("mutants", () => {
  it("have unique names", () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  })
  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))("%s changes its file", async (_name, mutant) => {
    await expect(sourceOf(mutant)).resolves.toContain(mutant.replacement)
  })
})
