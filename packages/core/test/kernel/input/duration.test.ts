import { Either, FastCheck as fc, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { duration, durationText } from "../../../src/kernel/input/duration.js"
import { day, hour, minute, second } from "../../../src/model/Instant.js"

const read = (text: unknown) => Either.getOrNull(Schema.decodeUnknownEither(duration())(text))

describe("duration", () => {
  it.each([
    ["90s", 90 * second],
    ["10m", 10 * minute],
    ["2h", 2 * hour],
    ["365d", 365 * day]
  ])("decodes %s", (text, milliseconds) => {
    expect(read(text)).toBe(milliseconds)
  })
  it.each(["", "0s", "366d", "8761h", "99999999d", "1.5h", "-1s", "1 h", "1H", "1w", "h", "10", "1h30m", 60, null])(
    "refuses %j",
    (text) => {
      expect(read(text)).toBeNull()
    }
  )
  it("formats in the largest exact unit and round-trips", () => {
    expect([90 * second, 60 * second, 36 * hour, 48 * hour].map(durationText)).toEqual(["90s", "1m", "36h", "2d"])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 * 86_400 }), (seconds) => {
        expect(read(durationText(seconds * second))).toBe(seconds * second)
      })
    )
  })
})
