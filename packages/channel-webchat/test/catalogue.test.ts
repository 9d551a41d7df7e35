import { expect, it } from "vitest"
import { catalogue, languageOf } from "../src/catalogue.js"

it("has the same labels in all languages, each at most as long as a connection's own", () => {
  for (const labels of Object.values(catalogue)) {
    expect(Object.keys(labels)).toEqual(Object.keys(catalogue.en))
    for (const label of Object.values(labels)) expect(label.length).toBeLessThanOrEqual(100)
  }
})

it("chooses the first language that it has, by its tag without region", () => {
  expect(languageOf(["sv-SE", "PT-br", "de"])).toBe("pt")
  expect(languageOf(["ar"])).toBe("ar")
  expect(languageOf(["sv", "constructor", ""])).toBe("en")
})
