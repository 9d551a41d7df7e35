import type { BotSession } from "../../model/BotSession.js"
import type { Instant } from "../../model/Instant.js"
import { expect, type Parts, set } from "../../ports/Changes.js"
import { withoutTimeOut } from "./botJobs.js"
import type { Ending } from "./dialogue.js"

/** The session after its end. `reason`: see {@link BotSession.reason}. */
export const ended = (
  session: BotSession,
  { type }: Pick<Ending, "type">,
  reason: string | null,
  now: Instant
): BotSession => ({
  ...session,
  reason,
  status: type === "handed_off" ? "handed_off" : "completed",
  outcome: type === "handed_off" ? null : type,
  step: null,
  tries: 0,
  endedAt: now
})

/**
 * Changes from the session before to the one after; conflicts with concurrent changes. An end deletes the time-out job.
 */
export const recordSession = (before: BotSession, after: BotSession): ReadonlyArray<Parts> => {
  const { id, version } = before
  const { answers, contactId, endedAt, expiresAt, outcome, reason, status, step, takenUpTo, tries } = after
  const values = { answers, contactId, endedAt, expiresAt, outcome, reason, status, step, takenUpTo, tries }
  return [
    { expects: [expect("botSessions", { id }, { version })], sets: [set("botSessions", { id }, values)] },
    after.status === "active" ? {} : withoutTimeOut(before)
  ]
}
