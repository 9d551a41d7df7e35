import { Either, Encoding, FastCheck as fc, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { cursors } from "../../../src/kernel/input/Cursor.js"

const orders = cursors("orders", Schema.Struct({ at: Schema.Number, id: Schema.String }))
const filters = { status: "open", channel: null }

describe("cursors", () => {
  it("round-trips any position", () => {
    fc.assert(
      fc.property(fc.integer(), fc.string({ unit: "grapheme" }), (at, id) => {
        const text = orders.encode(filters, { at, id })
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(orders.decode(filters, text)).toEqual(Either.right({ at, id }))
      })
    )
  })
  it("ignores the order of filters and unused filters", () => {
    const text = orders.encode(filters, { at: 1, id: "a" })
    expect(Either.isRight(orders.decode({ channel: null, status: "open" }, text))).toBe(true)
    expect(Either.isRight(orders.decode({ status: "open" }, text))).toBe(true)
    expect(Either.isRight(orders.decode({ ...filters, later: null }, text))).toBe(true)
  })
  it("refuses a cursor of other filters or another list", () => {
    const text = orders.encode(filters, { at: 1, id: "a" })
    const message = "must be used with the filters that it was made with"
    expect(orders.decode({ status: "closed" }, text)).toEqual(Either.left(message))
    expect(orders.decode({ ...filters, channel: "email" }, text)).toEqual(Either.left(message))
    expect(cursors("bills", Schema.Unknown).decode(filters, text)).toEqual(Either.left(message))
  })
  it("refuses unreadable text", () => {
    const unreadable = Either.left("must be a cursor of this list")
    const isRefused = (text: string) => {
      expect(orders.decode({}, text)).toEqual(unreadable)
    }
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), isRefused))
    fc.assert(fc.property(fc.jsonValue(), (value) => isRefused(Encoding.encodeBase64Url(JSON.stringify(value)))))
  })
})
