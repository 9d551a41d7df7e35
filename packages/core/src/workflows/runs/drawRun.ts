import { Effect } from "effect"
import { hour, type Instant } from "../../Instant.js"
import { notificationOnceId, notifyOnce } from "../../notifications/notify.js"
import { type Draw, type Drawn, type ReadError, readById, type Storage } from "../../ports/Storage.js"
import type { RunWorld } from "./advanceRun.js"
import type { Run } from "./Run.js"

/** What a run draws to begin: a contact has so many in an hour, so that workflows which start each other come to an end. */
export const runDraw = (contactId: string, limit: number, now: Instant): Draw => ({
  bucket: `runs ${contactId}`,
  limit,
  windowMs: hour,
  now
})

/** Null where a run may begin by what it drew; else why not, and a notification, once an hour. */
export const refusedBy = (
  { granted, limit, openedAt }: Drawn,
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
    told: known === undefined ? { ensures: notifyOnce(about, openedAt) } : {}
  }))
}
