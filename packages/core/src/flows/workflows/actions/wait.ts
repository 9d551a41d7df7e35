import { DateTime, Option } from "effect"
import { zoneNamed } from "../../../kernel/input/timeOfDay.js"
import type { Wait } from "../../../model/Action.js"
import type { Contact } from "../../../model/Contact.js"
import { type Instant, timestamp } from "../../../model/Instant.js"
import type { Pending } from "../../../model/Run.js"
import { type DailyTime, nextMoment } from "../conditions/nextMoment.js"
import { zoneOf } from "../conditions/zonedTime.js"
import { ActionState } from "../runs/ActionState.js"

/**
 * Waits for a duration, or until a time of day. The end is computed when the wait begins: a later change of the
 * contact's time zone does not move it.
 */
export const wait = (
  action: Wait,
  pending: Pending | null,
  contact: Contact,
  /** Time zone of the workspace. */
  timezone: string,
  now: Instant
): ActionState => {
  const begun = pending ?? {
    startedAt: now,
    attempts: 1,
    messageId: null,
    ...("forMs" in action
      ? { until: now + action.forMs }
      : { until: nextMoment(action, contact, timezone, now), localTime: localTimeOf(action, contact, timezone) })
  }
  const until = begun.until ?? now
  return now < until
    ? ActionState.Later({ at: until, pending: begun })
    : ActionState.Done({ detail: `waited ${untilText(until, begun.localTime)}` })
}

/** `until …`, with the local time, because an end in another time zone than expected shows in it. */
export const untilText = (until: Instant, localTime: string | undefined): string =>
  `until ${timestamp(until)}${localTime === undefined ? "" : `, ${localTime}`}`

const localTimeOf = (
  { timezone, until }: DailyTime,
  contact: Pick<Contact, "timezone">,
  workspaceTimezone: string
): string => {
  const zone = zoneOf(timezone, contact, workspaceTimezone)
  const name = zone._tag === "Named" ? DateTime.zoneToString(zone) : "UTC"
  const isUnknown = timezone === "contact" && contact.timezone !== null && Option.isNone(zoneNamed(contact.timezone))
  return `${until} in ${name}${isUnknown ? ", because the contact's time zone is not known" : ""}`
}
