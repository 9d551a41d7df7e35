import { expect, it } from "vitest"
import { isOpenAt } from "../src/officeHours.js"

const week = ["mon", "tue", "wed", "thu", "fri"]
const berlin = {
  timeZone: "Europe/Berlin",
  hours: [
    { days: week, from: "09:00", to: "17:00" },
    { days: ["sat"], from: "22:00", to: "24:00" }
  ]
}

it.each([
  ["a Monday morning", "2026-11-23T08:00:00Z", true],
  ["a minute before", "2026-11-23T07:59:00Z", false],
  ["the last minute", "2026-11-23T15:59:59Z", true],
  ["the end", "2026-11-23T16:00:00Z", false],
  ["the same time in summer", "2026-06-22T07:00:00Z", true],
  ["a Sunday", "2026-11-22T12:00:00Z", false],
  ["a Saturday before midnight", "2026-11-21T22:59:00Z", true],
  ["after that midnight", "2026-11-21T23:00:00Z", false]
])("knows whether %s is within the office hours", (_, at, open) => {
  expect(isOpenAt(berlin, new Date(at))).toBe(open)
})
