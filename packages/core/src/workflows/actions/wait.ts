import type { Contact } from "../../contacts/Contact.js"
import { type Instant, timestamp } from "../../Instant.js"
import { nextMoment } from "../conditions/nextMoment.js"
import type { Wait } from "../definition/Action.js"
import type { Pending } from "../runs/Run.js"
import { Verdict } from "../runs/Verdict.js"

/** Waits for a time, or until a time of day; when that is was decided when it began. */
export const wait = (
  action: Wait,
  pending: Pending | null,
  contact: Contact,
  /** Of the workspace. */
  timezone: string,
  now: Instant
): Verdict => {
  const until = pending?.until ?? ("forMs" in action ? now + action.forMs : nextMoment(action, contact, timezone, now))
  const startedAt = pending?.startedAt ?? now
  return now < until
    ? Verdict.Later({ at: until, pending: { startedAt, attempts: 1, messageId: null, until } })
    : Verdict.Done({ detail: `waited until ${timestamp(until)}` })
}
