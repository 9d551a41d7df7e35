import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { widgetFile, widgetModule } from "../generate/widget.js"
import { widget } from "../src/generated/widget.js"

it("contains the current widget", { timeout: 60_000 }, async () => {
  const kept = readFileSync(new URL(`../../../${widgetFile}`, import.meta.url), "utf8")
  expect(kept === (await widgetModule()), `${widgetFile} is out of date. Run: npm run generate`).toBe(true)
})

it("is at most 13 kB, compressed", () => {
  expect(gzipSync(widget).length).toBeLessThan(13 * 1_024)
})

it("neither evaluates text nor inserts it as HTML", () => {
  expect(widget).not.toMatch(/\beval\b|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\son\w+=/)
})
