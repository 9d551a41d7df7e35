import type { Wait } from "../../../model/Action.js"
import type { Contact } from "../../../model/Contact.js"
import { type Instant, timestamp } from "../../../model/Instant.js"
import type { Pending } from "../../../model/Run.js"
import { nextMoment } from "../conditions/nextMoment.js"
import { ActionState } from "../runs/ActionState.js"

/** Waits for a duration, or until a time of day. The end is computed when the wait begins. */
export const wait = (
  action: Wait,
  pending: Pending | null,
  contact: Contact,
  /** Time zone of the workspace. */
  timezone: string,
  now: Instant
): ActionState => {
  const until = pending?.until ?? ("forMs" in action ? now + action.forMs : nextMoment(action, contact, timezone, now))
  const startedAt = pending?.startedAt ?? now
  return now < until
    ? ActionState.Later({ at: until, pending: { startedAt, attempts: 1, messageId: null, until } })
    : ActionState.Done({ detail: `waited until ${timestamp(until)}` })
}
