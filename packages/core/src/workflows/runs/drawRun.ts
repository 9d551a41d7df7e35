import { Clock, Effect } from "effect"
import { hour } from "../../Instant.js"
import { notificationOnceId, notifyOnce } from "../../notifications/notify.js"
import { type ReadError, readById, type Storage } from "../../ports/Storage.js"
import type { RunWorld } from "./advanceRun.js"
import type { Run } from "./Run.js"

/**
 * Draws what a run needs to begin: a contact has so many in an hour, so that workflows which start each other come to an end. Null
 * where it may; else why not, and a notification, once an hour.
 */
export const drawRun = (
  storage: Pick<Storage, "read" | "takeToken">,
  { contactId, workflowId, workspaceId }: Run,
  limit: number
): Effect.Effect<RunWorld["refused"], ReadError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const drawn = yield* storage.takeToken({ bucket: `runs ${contactId}`, limit, windowMs: hour, now })
    if (drawn.granted) return null
    const message =
      `Workflows were started ${limit} times within an hour for one contact (${contactId}), and further runs are stopped. ` +
      "Look for workflows that start each other: `parley run list --contact <id>` shows them."
    const about = { workspaceId, applicationId: null, kind: "workflow.runs_limited", subjectId: workflowId, message }
    const known = yield* readById(storage, "notifications", notificationOnceId(about, drawn.openedAt))
    return {
      reason: `the contact had ${limit} runs within an hour`,
      told: known === undefined ? { ensures: notifyOnce(about, drawn.openedAt) } : {}
    }
  })
