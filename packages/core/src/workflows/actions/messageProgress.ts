import { type Instant, minute, second } from "../../Instant.js"
import type { Message } from "../../messages/Message.js"
import type { Wanted } from "../definition/Action.js"
import type { Pending } from "../runs/Run.js"
import { Verdict } from "../runs/Verdict.js"

/** A message that was queued for an action which waits for its progress. */
export const pendingMessage = (messageId: string, { withinMs }: Wanted, now: Instant): Verdict =>
  Verdict.Later({
    at: now + firstLook,
    pending: { startedAt: now, attempts: 1, messageId, until: now + withinMs }
  })

/** How long after the message was queued it is looked at first. Each further look is after twice the time, at most a minute. */
const firstLook = second

/** What tells how far a message has come. */
export type Progress = Pick<Message, "id" | "status" | "error" | "sentAt" | "deliveredAt" | "readAt">

/** Whether a message has come as far as was wanted; one that failed, or did not come so far in time, has not. */
export const messageProgress = (
  message: Progress | undefined,
  { status }: Wanted,
  pending: Pending,
  now: Instant
): Verdict => {
  if (message === undefined) return Verdict.Failed({ detail: "the message is gone" })
  const { error, id } = message
  const reached = { sent: message.sentAt, delivered: message.deliveredAt, read: message.readAt }[status]
  if (reached !== null) return Verdict.Done({ detail: `the message ${id} was ${status}` })
  if (message.status === "failed") {
    return Verdict.Failed({
      detail: `the message ${id} failed: ${error === null ? "" : `${error.code}, ${error.message}`}`
    })
  }
  const until = pending.until ?? now
  if (now >= until) return Verdict.Failed({ detail: `the message ${id} was not ${status} in time` })
  const elapsed = Math.max(firstLook, now - pending.startedAt)
  return Verdict.Later({
    at: Math.min(until, now + Math.min(elapsed, minute)),
    pending: { ...pending, attempts: pending.attempts + 1 }
  })
}
