import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { pageQueryDraft, placeOf } from "../../src/input/PageQuery.js"

const lastPage = "90071992547409"

describe("the query of a list by page number", () => {
  it("is the first page of 25 where it does not say", () => {
    expect(pageQueryDraft({})).toEqual({ value: { page: 1, perPage: 25 }, problems: {} })
  })
  it("takes any page whose rows can be counted", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number(lastPage) }), fc.integer({ min: 1, max: 100 }), (page, perPage) => {
        const { value } = pageQueryDraft({ page: String(page), per_page: String(perPage) })
        expect(value).toEqual({ page, perPage })
        const { limit, offset } = placeOf({ page, perPage })
        expect([limit, Number.isSafeInteger(offset + limit)]).toEqual([perPage, true])
        expect(offset).toBe((page - 1) * perPage)
      })
    )
  })
  it.each(["0", "-1", "+1", "01", "1.0", "1e3", " 1", "one", "", "90071992547410", "9".repeat(400)])(
    "refuses a page of '%s'",
    (page) => {
      expect(pageQueryDraft({ page }).problems).toEqual({ page: [`must be a whole number from 1 to ${lastPage}`] })
    }
  )
  it.each(["0", "101", "ten", ""])("refuses '%s' rows a page", (per_page) => {
    expect(pageQueryDraft({ per_page }).problems).toEqual({ per_page: ["must be a whole number from 1 to 100"] })
  })
})
