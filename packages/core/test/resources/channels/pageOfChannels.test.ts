import { aConnection, anApplication } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { pageOfChannels } from "../../../src/resources/channels/pageOfChannels.js"

const connections = (names: ReadonlyArray<string>) => names.map((name, n) => aConnection({ id: `${n}`, name }))
const ids = (count: number) => Array.from({ length: count }, (_, n) => `${n}`)

describe("a page of channels", () => {
  it("is exactly the allow-list", () => {
    const application = anApplication({ connectionIds: ["2", "0", "gone"] })
    const { rows, ...page } = pageOfChannels(application, connections(["c", "b", "a"]), { page: 1, perPage: null })
    expect(rows.map(({ name }) => name)).toEqual(["a", "c"])
    expect(page).toEqual({ total: 2, page: 1, perPage: 25 })
  })
  it("has all channels without a requested page size", () => {
    const application = anApplication({ connectionIds: ids(120) })
    const page = pageOfChannels(application, connections(ids(120)), { page: 1, perPage: null })
    expect([page.rows.length, page.total, page.perPage]).toEqual([120, 120, 120])
  })
  it("has each channel on exactly one page, in one order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b", "B", "ä"), { maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        (names, perPage) => {
          const application = anApplication({ connectionIds: ids(names.length) })
          const all = pageOfChannels(application, connections(names), { page: 1, perPage: null }).rows
          const pages = ids(5 + Math.ceil(names.length / perPage)).map(
            (_, n) => pageOfChannels(application, connections([...names]).reverse(), { page: n + 1, perPage }).rows
          )
          expect(pages.flat()).toEqual(all)
        }
      )
    )
  })
})
