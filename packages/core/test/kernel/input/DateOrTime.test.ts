import { Either, FastCheck as fc, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { dateOrTime } from "../../../src/kernel/input/DateOrTime.js"

const read = Schema.decodeUnknownEither(dateOrTime)
const morning = Date.parse("2026-05-04T08:30:00.000Z")

describe("dateOrTime", () => {
  it("decodes a date as 00:00 UTC", () => {
    expect(read("2026-05-04")).toEqual(Either.right(Date.parse("2026-05-04T00:00:00.000Z")))
    expect(read("2024-02-29")).toEqual(Either.right(Date.parse("2024-02-29T00:00:00.000Z")))
  })
  it.each([
    "2026-05-04T08:30:00.000Z",
    "2026-05-04T08:30Z",
    "2026-05-04t08:30:00z",
    "2026-05-04T08:30:00",
    "2026-05-04T10:30:00+02:00",
    "2026-05-04T10:30:00 02:00",
    "2026-05-03T23:00:00-09:30",
    "2026-05-04T08:30:00.0009Z"
  ])("decodes %s", (text) => {
    expect(read(text)).toEqual(Either.right(morning))
  })
  it("decodes every ISO timestamp", () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date("0000-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z") }),
        (date) => {
          expect(read(date.toISOString())).toEqual(Either.right(date.getTime()))
        }
      )
    )
  })
  it.each([
    "",
    "yesterday",
    "2026",
    "2026-5-4",
    "2026-02-30",
    "2026-13-01",
    "2026-00-10",
    "20260504",
    "2026-05-04T",
    "2026-05-04T24:00",
    "2026-05-04T08",
    "2026-05-04T08:60",
    "2026-05-04T08:30:60Z",
    "2026-05-04T08:30:00.Z",
    "2026-05-04T08:30:00+2",
    "2026-05-04T08:30:00+24:00",
    "2026-05-04T08:30:00ZZ",
    "2026-05-04T08:30TZ",
    "2026-05-04 08:30:00Z",
    " 2026-05-04",
    "1777883400",
    "+002026-05-04"
  ])("refuses '%s'", (text) => {
    expect(Either.isLeft(read(text))).toBe(true)
  })
})
