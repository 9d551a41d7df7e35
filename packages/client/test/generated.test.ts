import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { contractTypes, contractTypesFile } from "../generate/contractTypes.js"

it("generated types match the contract", { timeout: 60_000 }, async () => {
  const kept = readFileSync(new URL(`../../../${contractTypesFile}`, import.meta.url), "utf8")
  const isFresh = kept === (await contractTypes())
  expect(isFresh, `${contractTypesFile} is not what the contract says. Run: npm run generate`).toBe(true)
})
