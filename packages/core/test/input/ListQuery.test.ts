import { describe, expect, it } from "vitest"
import { listQueryDraft } from "../../src/input/ListQuery.js"

describe("the query of a cursor list", () => {
  it("has 25 rows a page where it does not say", () => {
    expect(listQueryDraft({})).toEqual({ value: { limit: 25, cursor: null }, problems: {} })
    expect(listQueryDraft({ cursor: "" }).value).toEqual({ limit: 25, cursor: null })
  })
  it.each(["1", "9", "10", "99", "100"])("takes a limit of %s", (limit) => {
    expect(listQueryDraft({ limit }).value.limit).toBe(Number(limit))
  })
  it.each(["0", "101", "1000", "-1", "+1", "1.5", "1e1", "010", " 1", "ten", ""])(
    "refuses a limit of '%s'",
    (limit) => {
      expect(listQueryDraft({ limit }).problems).toEqual({ limit: ["must be a whole number from 1 to 100"] })
    }
  )
})
