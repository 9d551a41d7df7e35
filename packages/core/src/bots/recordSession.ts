import type { Instant } from "../Instant.js"
import { expect, type Parts, set } from "../ports/Changes.js"
import type { BotSession } from "./BotSession.js"
import { withoutTimeOut } from "./botJobs.js"
import type { Ending } from "./dialogue.js"

/** A dialogue as it is after its end. */
export const ended = (session: BotSession, { type }: Ending, now: Instant): BotSession => ({
  ...session,
  status: type === "handed_off" ? "handed_off" : "completed",
  outcome: type === "handed_off" ? null : type,
  step: null,
  tries: 0,
  endedAt: now
})

/** What makes a session that was read so, where nobody changed it meanwhile; an end takes its time-out along. */
export const recordSession = (before: BotSession, after: BotSession): ReadonlyArray<Parts> => {
  const { id, version } = before
  const { answers, contactId, endedAt, expiresAt, outcome, status, step, takenUpTo, tries } = after
  const values = { answers, contactId, endedAt, expiresAt, outcome, status, step, takenUpTo, tries }
  return [
    { expects: [expect("botSessions", { id }, { version })], sets: [set("botSessions", { id }, values)] },
    after.status === "active" ? {} : withoutTimeOut(before)
  ]
}
