import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { catalogue } from "@parley/core"
import { errorPage, errorPageFile } from "../../generate/errorPage.js"

it("is up to date; else run `npm run generate`", () => {
  expect(readFileSync(new URL(`../../../../${errorPageFile}`, import.meta.url), "utf8")).toBe(errorPage())
})

it.each(Object.entries(catalogue))("lists status, meaning and remedy of %s", (code, { status, meaning, remedy }) => {
  expect(errorPage()).toContain(`| \`${code}\` | ${status} | ${meaning} | ${remedy} | `)
})
