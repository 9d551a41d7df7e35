import { DateTime, Option } from "effect"
import type { Contact } from "../../contacts/Contact.js"
import { day, type Instant } from "../../Instant.js"
import type { Timezone, Weekday } from "../definition/RunCondition.js"
import { weekdays, zoneNamed } from "../definition/timeOfDay.js"

/** The zone that a time is read in: a contact's that is none is the workspace's, and a workspace's that is none is UTC. */
export const zoneOf = (
  timezone: Timezone,
  contact: Pick<Contact, "timezone">,
  workspaceTimezone: string
): DateTime.TimeZone => {
  const names = [
    ...(timezone === "contact" ? [contact.timezone ?? ""] : timezone === "workspace" ? [] : [timezone]),
    workspaceTimezone
  ]
  return Option.getOrElse(Option.firstSomeOf(names.map(zoneNamed)), () => DateTime.zoneMakeOffset(0))
}

/** How far the clocks of a zone are ahead of UTC at a moment, in ms. */
const offsetAt = (zone: DateTime.TimeZone, at: Instant): number =>
  DateTime.zonedOffset(DateTime.unsafeMakeZoned(at, { timeZone: zone }))

/** A moment as the clocks of a zone show it. */
export interface LocalTime {
  /** Days since the 1st of January 1970. */
  readonly date: number
  /** Since midnight, by the clock, in ms. */
  readonly sinceMidnight: number
}

export const localTime = (zone: DateTime.TimeZone, at: Instant): LocalTime => {
  const local = at + offsetAt(zone, at)
  const date = Math.floor(local / day)
  return { date, sinceMidnight: local - date * day }
}

/** Of a {@link LocalTime.date}. */
export const weekdayOf = (date: number): Weekday => {
  // The first day of 1970 was a Thursday.
  const index = (((date + 3) % 7) + 7) % 7
  return weekdays[index] as Weekday
}

/** `HH:MM` as time since midnight, in ms. */
export const sinceMidnight = (time: string): number => {
  const [hours, minutes] = time.split(":").map(Number)
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000
}

/**
 * When the clocks of a zone show a time on a date: twice where they are put back over it; where they are put forward over
 * it, the moment at which they are.
 */
export const momentsOf = (zone: DateTime.TimeZone, { date, sinceMidnight }: LocalTime): ReadonlyArray<Instant> => {
  const local = date * day + sinceMidnight
  const offsets = [...new Set([offsetAt(zone, local - day), offsetAt(zone, local + day)])].sort((a, b) => b - a)
  const moments = offsets.map((offset) => local - offset).filter((at) => at + offsetAt(zone, at) === local)
  if (moments.length > 0) return moments
  let [before, after] = [local - Math.max(...offsets), local - Math.min(...offsets)]
  const offset = offsetAt(zone, before)
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(zone, middle) === offset) before = middle
    else after = middle
  }
  return [after]
}
