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

/**
 * Null if the token was granted, else the reason with a notification: one per workflow and clock hour, however many
 * contacts are at the limit.
 */
export const startRefusal = (
  { granted, limit }: RateToken,
  storage: Pick<Storage, "read">,
  { contactId, workflowId, workspaceId }: Run,
  now: Instant
): Effect.Effect<RunWorld["refused"], ReadError> => {
  if (granted) return Effect.succeed(null)
  const message =
    `Workflows were started ${limit} times within an hour for one contact (${contactId}), and further runs are stopped. ` +
    "Look for workflows that start each other: `parley run list --contact <id>` shows them. Until the next full hour, " +
    `other contacts at the limit are not reported: \`parley workflow runs ${workflowId} --status stopped\` shows their runs.`
  const since = now - (now % hour)
  const about = { workspaceId, applicationId: null, kind: "workflow.runs_limited", subjectId: workflowId, message }
  return Effect.map(readById(storage, "notifications", notificationOnceId(about, since)), (known) => ({
    reason: `the contact had ${limit} runs within an hour`,
    parts: known === undefined ? { ensures: notifyOnce(about, since) } : {}
  }))
}
