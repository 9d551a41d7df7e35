import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { decodePageQuery, pageBounds } from "../../../src/kernel/input/PageQuery.js"

const lastPage = "90071992547409"

describe("page query", () => {
  it("defaults to the first page of 25 rows", () => {
    expect(decodePageQuery({})).toEqual({ value: { page: 1, perPage: 25 }, problems: {} })
  })
  it("accepts every page with a safe integer offset", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number(lastPage) }), fc.integer({ min: 1, max: 100 }), (page, perPage) => {
        const { value } = decodePageQuery({ page: String(page), per_page: String(perPage) })
        expect(value).toEqual({ page, perPage })
        const { limit, offset } = pageBounds({ page, perPage })
        expect([limit, Number.isSafeInteger(offset + limit)]).toEqual([perPage, true])
        expect(offset).toBe((page - 1) * perPage)
      })
    )
  })
  it.each(["0", "-1", "+1", "01", "1.0", "1e3", " 1", "one", "", "90071992547410", "9".repeat(400)])(
    "refuses page '%s'",
    (page) => {
      expect(decodePageQuery({ page }).problems).toEqual({ page: [`must be a whole number from 1 to ${lastPage}`] })
    }
  )
  it.each(["0", "101", "ten", ""])("refuses per_page '%s'", (per_page) => {
    expect(decodePageQuery({ per_page }).problems).toEqual({ per_page: ["must be a whole number from 1 to 100"] })
  })
})
