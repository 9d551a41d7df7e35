import type { Contact } from "../../contacts/Contact.js"
import type { Instant } from "../../Instant.js"
import type { Timezone, Weekday } from "../definition/RunCondition.js"
import { localTime, momentsOf, sinceMidnight, weekdayOf, zoneOf } from "./zonedTime.js"

/** A time of day, on some days of the week or on all of them. */
export interface DailyTime {
  /** `HH:MM`. */
  readonly until: string
  readonly days: ReadonlyArray<Weekday> | null
  readonly timezone: Timezone
}

/**
 * When it is that time next, after `now`. On a day on which the clocks are put forward over it, that is the moment at which
 * they are; on one on which they are put back over it, it comes twice.
 */
export const nextMoment = (
  { days, timezone, until }: DailyTime,
  contact: Pick<Contact, "timezone">,
  workspaceTimezone: string,
  now: Instant
): Instant => {
  const zone = zoneOf(timezone, contact, workspaceTimezone)
  const momentFrom = (date: number): Instant => {
    const isDay = days === null || days.length === 0 || days.includes(weekdayOf(date))
    const moments = isDay ? momentsOf(zone, { date, sinceMidnight: sinceMidnight(until) }) : []
    return moments.find((at) => at > now) ?? momentFrom(date + 1)
  }
  return momentFrom(localTime(zone, now).date)
}
