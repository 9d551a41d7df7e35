import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { type DailyTime, nextMoment } from "../../../../src/flows/workflows/conditions/nextMoment.js"
import { weekdays } from "../../../../src/kernel/input/timeOfDay.js"
import { day, hour, minute } from "../../../../src/model/Instant.js"
import { timezones } from "../definition/definitions.js"

const at = (text: string) => Date.parse(text)
const next = (request: Partial<DailyTime>, now: string, contactTimezone: string | null = null, workspace = "UTC") =>
  new Date(
    nextMoment(
      { until: "09:00", days: null, timezone: "workspace", ...request },
      { timezone: contactTimezone },
      workspace,
      at(now)
    )
  )
    .toISOString()
    .replace(":00.000", "")

describe("the next moment of a time of day", () => {
  it("is later today or tomorrow, never now", () => {
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
  it("uses the local time and weekday of the zone", () => {
    expect(next({ timezone: "Asia/Kolkata" }, "2026-05-04T00:00:00Z")).toBe("2026-05-04T03:30Z")
    expect(next({ timezone: "Pacific/Auckland", days: ["tue"] }, "2026-05-04T08:00:00Z")).toBe("2026-05-04T21:00Z")
  })
  it("uses the contact's valid time zone, else the workspace's, else UTC", () => {
    const request = { timezone: "contact" }
    expect(next(request, "2026-05-04T00:00:00Z", "America/New_York", "Europe/Berlin")).toBe("2026-05-04T13:00Z")
    for (const none of [null, "", "Berlin", "+02:00", "x".repeat(1_000)]) {
      expect(next(request, "2026-05-04T00:00:00Z", none, "Europe/Berlin")).toBe("2026-05-04T07:00Z")
    }
    expect(next(request, "2026-05-04T00:00:00Z", null, "Berlin")).toBe("2026-05-04T09:00Z")
    expect(next({ timezone: "Mars/Olympus" }, "2026-05-04T00:00:00Z", "Asia/Kolkata", "Europe/Berlin")).toBe(
      "2026-05-04T07:00Z"
    )
  })
  it("keeps local time across clock changes", () => {
    expect(next({ timezone: "Europe/Berlin" }, "2026-03-28T09:00:00Z")).toBe("2026-03-29T07:00Z")
    expect(next({ timezone: "Europe/Berlin" }, "2026-10-24T09:00:00Z")).toBe("2026-10-25T08:00Z")
  })
  it("is the moment of the change if clocks skip the time", () => {
    const request = { until: "02:30", timezone: "Europe/Berlin" }
    expect(next(request, "2026-03-29T00:00:00Z")).toBe("2026-03-29T01:00Z")
    expect(next(request, "2026-03-29T01:00:00Z")).toBe("2026-03-30T00:30Z")
  })
  it("occurs twice if clocks repeat the time", () => {
    const request = { until: "02:30", timezone: "Europe/Berlin" }
    expect(next(request, "2026-10-25T00:00:00Z")).toBe("2026-10-25T00:30Z")
    expect(next(request, "2026-10-25T00:30:00Z")).toBe("2026-10-25T01:30Z")
    expect(next(request, "2026-10-25T01:30:00Z")).toBe("2026-10-26T01:30Z")
  })
  it("exists on a date that the zone skipped", () => {
    // Samoa skipped 30 December 2011.
    expect(next({ timezone: "Pacific/Apia" }, "2011-12-29T20:00:00Z")).toBe("2011-12-30T10:00Z")
    expect(next({ timezone: "Pacific/Apia" }, "2011-12-30T10:00:00Z")).toBe("2011-12-30T19:00Z")
  })
  it("is the first moment after now at which local clocks show it on a given weekday", () => {
    const moments = fc.oneof(
      fc.integer({ min: at("2026-01-01"), max: at("2027-01-01") }),
      // Around clock changes.
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
    const requests = fc.record({
      until: fc
        .tuple(fc.nat(23), fc.constantFrom("00", "15", "30", "45"))
        .map(([hours, minutes]) => `${String(hours).padStart(2, "0")}:${minutes}`),
      days: fc.option(fc.subarray([...weekdays], { minLength: 1 }), { nil: null }),
      timezone: fc.constantFrom(...timezones.filter((name) => name !== "contact" && name !== "workspace"))
    })
    fc.assert(
      fc.property(moments, requests, (now, request) => {
        const clock = new Intl.DateTimeFormat("en-GB", {
          timeZone: request.timezone,
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
          return (
            time === request.until && (request.days === null || (request.days as ReadonlyArray<string>).includes(day))
          )
        }
        const found = nextMoment(request, { timezone: null }, "UTC", now)
        expect(found).toBeGreaterThan(now)
        expect(found - now).toBeLessThanOrEqual(7 * day + 2 * hour)
        // Offsets of zones are multiples of 15 minutes.
        const first = Math.floor(now / (15 * minute)) * 15 * minute + 15 * minute
        for (let at = first; at < found; at += 15 * minute) expect([at, isIt(at)]).toEqual([at, false])
        if (!isIt(found)) expect(shown(found - 1).time < request.until && shown(found).time > request.until).toBe(true)
      })
    )
  })
})
