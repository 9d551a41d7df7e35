import { expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { pagedListOf } from "../src/index.js"

const url = "https://api.example/parley/api/v1/contacts?search=a%26b&tag=x%20y"
const pageOf = (total: number, page: number, perPage: number, from = url) =>
  pagedListOf(from, { rows: [], total, page, perPage }, (row) => row)
const pageIn = (link: string | null) => link && new URL(link).searchParams.get("page")

it("links the adjacent pages with every filter", () => {
  const { links, meta } = pageOf(5, 2, 2)
  expect(meta).toEqual({ current_page: 2, per_page: 2, total: 5, last_page: 3 })
  expect(links).toEqual({
    next: "https://api.example/parley/api/v1/contacts?search=a%26b&tag=x+y&page=3",
    prev: "https://api.example/parley/api/v1/contacts?search=a%26b&tag=x+y&page=1"
  })
  expect(pageOf(5, 2, 2, `${url}&page=2`).links).toEqual(links)
})

it("has one page if there are no rows", () => {
  expect(pageOf(0, 1, 25)).toMatchObject({ meta: { total: 0, last_page: 1 }, links: { next: null, prev: null } })
})

it("links to the last page from beyond the end", () => {
  const { links, meta } = pageOf(5, 9, 2)
  expect([meta.current_page, meta.last_page, links.next, pageIn(links.prev)]).toEqual([9, 3, null, "3"])
})

it("reaches every row forwards and backwards", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 9 }), (total, perPage) => {
      let page = 1
      let seen = 0
      for (;;) {
        const { links, meta } = pageOf(total, page, perPage)
        seen += Math.min(perPage, total - (page - 1) * perPage)
        expect(pageIn(links.prev)).toBe(page === 1 ? null : `${page - 1}`)
        if (links.next === null) {
          expect([seen, page]).toEqual([total, meta.last_page])
          return
        }
        page = Number(pageIn(links.next))
      }
    })
  )
})
