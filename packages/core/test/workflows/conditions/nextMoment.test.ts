import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { day, hour, minute } from "../../../src/Instant.js"
import { type DailyTime, nextMoment } from "../../../src/workflows/conditions/nextMoment.js"
import { weekdays } from "../../../src/workflows/definition/timeOfDay.js"
import { timezones } from "../definition/definitions.js"

const at = (text: string) => Date.parse(text)
const next = (wish: Partial<DailyTime>, now: string, contactTimezone: string | null = null, workspace = "UTC") =>
  new Date(
    nextMoment(
      { until: "09:00", days: null, timezone: "workspace", ...wish },
      { timezone: contactTimezone },
      workspace,
      at(now)
    )
  )
    .toISOString()
    .replace(":00.000", "")

describe("the next moment of a time of day", () => {
  it("is later today, or else tomorrow, and never now", () => {
    expect(next({}, "2026-05-04T08:59:59.999Z")).toBe("2026-05-04T09:00Z")
    expect(next({}, "2026-05-04T09:00:00.000Z")).toBe("2026-05-05T09:00Z")
    expect(next({ until: "00:00" }, "2026-12-31T23:59:59.999Z")).toBe("2027-01-01T00:00Z")
  })
  it("is on one of its days", () => {
    // A Monday.
    expect(next({ days: ["mon"] }, "2026-05-04T08:00:00Z")).toBe("2026-05-04T09:00Z")
    expect(next({ days: ["mon"] }, "2026-05-04T10:00:00Z")).toBe("2026-05-11T09:00Z")
    expect(next({ days: ["sat", "wed"] }, "2026-05-04T10:00:00Z")).toBe("2026-05-06T09:00Z")
  })
  it("is by the clock of the zone, whose day may be another one", () => {
    expect(next({ timezone: "Asia/Kolkata" }, "2026-05-04T00:00:00Z")).toBe("2026-05-04T03:30Z")
    expect(next({ timezone: "Pacific/Auckland", days: ["tue"] }, "2026-05-04T08:00:00Z")).toBe("2026-05-04T21:00Z")
  })
  it("is by the contact's clock where they have one that exists, else by the workspace's, else by UTC", () => {
    const wish = { timezone: "contact" }
    expect(next(wish, "2026-05-04T00:00:00Z", "America/New_York", "Europe/Berlin")).toBe("2026-05-04T13:00Z")
    for (const none of [null, "", "Berlin", "+02:00", "x".repeat(1_000)]) {
      expect(next(wish, "2026-05-04T00:00:00Z", none, "Europe/Berlin")).toBe("2026-05-04T07:00Z")
    }
    expect(next(wish, "2026-05-04T00:00:00Z", null, "Berlin")).toBe("2026-05-04T09:00Z")
    expect(next({ timezone: "Mars/Olympus" }, "2026-05-04T00:00:00Z", "Asia/Kolkata", "Europe/Berlin")).toBe(
      "2026-05-04T07:00Z"
    )
  })
  it("keeps to the clock when the clocks change", () => {
    expect(next({ timezone: "Europe/Berlin" }, "2026-03-28T09:00:00Z")).toBe("2026-03-29T07:00Z")
    expect(next({ timezone: "Europe/Berlin" }, "2026-10-24T09:00:00Z")).toBe("2026-10-25T08:00Z")
  })
  it("is the moment of the change where the clocks are put forward over it", () => {
    const wish = { until: "02:30", timezone: "Europe/Berlin" }
    expect(next(wish, "2026-03-29T00:00:00Z")).toBe("2026-03-29T01:00Z")
    expect(next(wish, "2026-03-29T01:00:00Z")).toBe("2026-03-30T00:30Z")
  })
  it("comes twice where the clocks are put back over it", () => {
    const wish = { until: "02:30", timezone: "Europe/Berlin" }
    expect(next(wish, "2026-10-25T00:00:00Z")).toBe("2026-10-25T00:30Z")
    expect(next(wish, "2026-10-25T00:30:00Z")).toBe("2026-10-25T01:30Z")
    expect(next(wish, "2026-10-25T01:30:00Z")).toBe("2026-10-26T01:30Z")
  })
  it("is there on a date that a zone left out", () => {
    // Samoa went from the 29th to the 31st.
    expect(next({ timezone: "Pacific/Apia" }, "2011-12-29T20:00:00Z")).toBe("2011-12-30T10:00Z")
    expect(next({ timezone: "Pacific/Apia" }, "2011-12-30T10:00:00Z")).toBe("2011-12-30T19:00Z")
  })
  it("is the first moment after now at which the clock shows it on such a day", () => {
    const moments = fc.oneof(
      fc.integer({ min: at("2026-01-01"), max: at("2027-01-01") }),
      // Around changes of the clocks.
      fc
        .tuple(
          fc.constantFrom(
            ...["2026-03-08T07:00Z", "2026-03-29T01:00Z", "2026-10-25T01:00Z", "2026-11-01T06:00Z"].map((text) =>
              at(text)
            )
          ),
          fc.integer({ min: -3 * hour, max: 3 * hour })
        )
        .map(([change, offset]) => change + offset)
    )
    const wishes = fc.record({
      until: fc
        .tuple(fc.nat(23), fc.constantFrom("00", "15", "30", "45"))
        .map(([hours, minutes]) => `${String(hours).padStart(2, "0")}:${minutes}`),
      days: fc.option(fc.subarray([...weekdays], { minLength: 1 }), { nil: null }),
      timezone: fc.constantFrom(...timezones.filter((name) => name !== "contact" && name !== "workspace"))
    })
    fc.assert(
      fc.property(moments, wishes, (now, wish) => {
        const clock = new Intl.DateTimeFormat("en-GB", {
          timeZone: wish.timezone,
          weekday: "short",
          hour: "2-digit",
          minute: "2-digit",
          hourCycle: "h23"
        })
        const shown = (at: number) => {
          const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]))
          return { day: `${parts.weekday}`.toLowerCase(), time: `${parts.hour}:${parts.minute}` }
        }
        const isIt = (at: number) => {
          const { day, time } = shown(at)
          return time === wish.until && (wish.days === null || (wish.days as ReadonlyArray<string>).includes(day))
        }
        const found = nextMoment(wish, { timezone: null }, "UTC", now)
        expect(found).toBeGreaterThan(now)
        expect(found - now).toBeLessThanOrEqual(7 * day + 2 * hour)
        // Zones differ from each other in quarters of an hour.
        const first = Math.floor(now / (15 * minute)) * 15 * minute + 15 * minute
        for (let at = first; at < found; at += 15 * minute) expect([at, isIt(at)]).toEqual([at, false])
        if (!isIt(found)) expect(shown(found - 1).time < wish.until && shown(found).time > wish.until).toBe(true)
      })
    )
  })
})
