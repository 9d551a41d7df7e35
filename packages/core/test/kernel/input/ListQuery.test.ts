import { describe, expect, it } from "vitest"
import { decodeListQuery } from "../../../src/kernel/input/ListQuery.js"

describe("cursor list query", () => {
  it("defaults to 25 rows a page", () => {
    expect(decodeListQuery({})).toEqual({ value: { limit: 25, cursor: null }, problems: {} })
    expect(decodeListQuery({ cursor: "" }).value).toEqual({ limit: 25, cursor: null })
  })
  it.each(["1", "9", "10", "99", "100"])("accepts limit %s", (limit) => {
    expect(decodeListQuery({ limit }).value.limit).toBe(Number(limit))
  })
  it.each(["0", "101", "1000", "-1", "+1", "1.5", "1e1", "010", " 1", "ten", ""])("refuses limit '%s'", (limit) => {
    expect(decodeListQuery({ limit }).problems).toEqual({ limit: ["must be a whole number from 1 to 100"] })
  })
})
