import { Effect } from "effect"
import { notificationOnceId, notifyOnce } from "../../../kernel/notify.js"
import { hour, type Instant } from "../../../model/Instant.js"
import type { Run } from "../../../model/Run.js"
import {
  type RateToken,
  type RateTokenRequest,
  type ReadError,
  readById,
  type Storage
} from "../../../ports/Storage.js"
import type { RunWorld } from "./advanceRun.js"

/** The rate token of a run's start: `limit` runs per contact and hour, so that workflows that start each other stop. */
export const runStartToken = (contactId: string, limit: number, now: Instant): RateTokenRequest => ({
  bucket: `runs ${contactId}`,
  limit,
  windowMs: hour,
  now
})

/** Null if the token was granted, else the reason with a notification, once per hour. */
export const startRefusal = (
  { granted, limit, openedAt }: RateToken,
  storage: Pick<Storage, "read">,
  { contactId, workflowId, workspaceId }: Run
): Effect.Effect<RunWorld["refused"], ReadError> => {
  if (granted) return Effect.succeed(null)
  const message =
    `Workflows were started ${limit} times within an hour for one contact (${contactId}), and further runs are stopped. ` +
    "Look for workflows that start each other: `parley run list --contact <id>` shows them."
  const about = { workspaceId, applicationId: null, kind: "workflow.runs_limited", subjectId: workflowId, message }
  return Effect.map(readById(storage, "notifications", notificationOnceId(about, openedAt)), (known) => ({
    reason: `the contact had ${limit} runs within an hour`,
    parts: known === undefined ? { ensures: notifyOnce(about, openedAt) } : {}
  }))
}
