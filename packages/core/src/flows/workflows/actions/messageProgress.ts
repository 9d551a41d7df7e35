import type { RequiredProgress } from "../../../model/Action.js"
import { type Instant, minute, second } from "../../../model/Instant.js"
import type { Message } from "../../../model/Message.js"
import type { Pending } from "../../../model/Run.js"
import { ActionState } from "../runs/ActionState.js"

/** The verdict of an action that waits for the progress of its message. */
export const pendingMessage = (messageId: string, { withinMs }: RequiredProgress, now: Instant): ActionState =>
  ActionState.Later({
    at: now + firstPollMs,
    pending: { startedAt: now, attempts: 1, messageId, until: now + withinMs }
  })

/** Initial poll delay in ms; doubles up to 1 min. */
const firstPollMs = second

/** The progress fields of a message. */
export type Progress = Pick<Message, "id" | "status" | "error" | "sentAt" | "deliveredAt" | "readAt">

/** Whether a message reached the wanted status. A failed message or a timeout is a failure. */
export const messageProgress = (
  message: Progress | undefined,
  { status }: RequiredProgress,
  pending: Pending,
  now: Instant
): ActionState => {
  if (message === undefined) return ActionState.Failed({ detail: "the message is gone" })
  const { error, id } = message
  const reached = { sent: message.sentAt, delivered: message.deliveredAt, read: message.readAt }[status]
  if (reached !== null) return ActionState.Done({ detail: `the message ${id} was ${status}` })
  if (message.status === "failed") {
    return ActionState.Failed({
      detail: `the message ${id} failed: ${error === null ? "" : `${error.code}, ${error.message}`}`
    })
  }
  const until = pending.until ?? now
  if (now >= until) {
    const later = message.status === "queued" ? "; it is still queued, and may still be sent" : ""
    return ActionState.Failed({ detail: `the message ${id} was not ${status} in time${later}` })
  }
  const elapsed = Math.max(firstPollMs, now - pending.startedAt)
  return ActionState.Later({
    at: Math.min(until, now + Math.min(elapsed, minute)),
    pending: { ...pending, attempts: pending.attempts + 1 }
  })
}
