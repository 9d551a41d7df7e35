import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { adminTypes, adminTypesFile } from "../generate/adminTypes.js"
import { contractTypes, contractTypesFile } from "../generate/contractTypes.js"

it.each([
  [contractTypesFile, contractTypes],
  [adminTypesFile, adminTypes]
] as const)("%s matches the contract", { timeout: 60_000 }, async (file, generated) => {
  const kept = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8")
  const isFresh = kept === (await generated())
  expect(isFresh, `${file} is not what the contract says. Run: npm run generate`).toBe(true)
})
