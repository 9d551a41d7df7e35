import type { Contact } from "../../../model/Contact.js"
import type { Instant } from "../../../model/Instant.js"
import type { Timezone, Weekday } from "../../../model/RunCondition.js"
import { localTime, momentsOf, sinceMidnight, weekdayOf, zoneOf } from "./zonedTime.js"

/** A time of day on some weekdays; null or empty `days`: on all. */
export interface DailyTime {
  /** `HH:MM`. */
  readonly until: string
  readonly days: ReadonlyArray<Weekday> | null
  readonly timezone: Timezone
}

/**
 * The next moment after `now` at which local clocks show the time. If clocks skip the time on a day, it is the moment
 * of the change. If clocks repeat the time, it occurs twice on that day.
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
