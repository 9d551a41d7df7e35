import { DateTime, Option } from "effect"
import { weekdays, zoneNamed } from "../../../kernel/input/timeOfDay.js"
import type { Contact } from "../../../model/Contact.js"
import { day, type Instant } from "../../../model/Instant.js"
import type { Timezone, Weekday } from "../../../model/RunCondition.js"

/**
 * The time zone of a window. A missing or unknown zone of a contact falls back to the workspace's, and that one to UTC.
 */
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

/** Offset of a zone from UTC at a moment, in ms; positive east of UTC. */
const offsetAt = (zone: DateTime.TimeZone, at: Instant): number =>
  DateTime.zonedOffset(DateTime.unsafeMakeZoned(at, { timeZone: zone }))

/** A moment in local time of a zone. */
export interface LocalTime {
  /** Days since 1 January 1970. */
  readonly date: number
  /** Clock time since midnight, in ms. */
  readonly sinceMidnight: number
}

export const localTime = (zone: DateTime.TimeZone, at: Instant): LocalTime => {
  const local = at + offsetAt(zone, at)
  const date = Math.floor(local / day)
  return { date, sinceMidnight: local - date * day }
}

/** The weekday of a {@link LocalTime.date}. */
export const weekdayOf = (date: number): Weekday => {
  // 1 January 1970 was a Thursday; index 0 is Monday.
  const index = (((date + 3) % 7) + 7) % 7
  return weekdays[index] as Weekday
}

/** `HH:MM` as time since midnight, in ms. */
export const sinceMidnight = (time: string): number => {
  const [hours, minutes] = time.split(":").map(Number)
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000
}

/**
 * The moments at which the clocks of a zone show a local time, in order: two if clocks repeat it. If clocks skip it,
 * the moment of the change.
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
