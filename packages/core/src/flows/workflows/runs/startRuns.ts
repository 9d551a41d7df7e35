import { exactJson, hasExactNumbers } from "../../../kernel/input/exactNumbers.js"
import type { BusinessEvent } from "../../../model/BusinessEvent.js"
import type { Run, RunKey } from "../../../model/Run.js"
import type { Workflow } from "../../../model/Workflow.js"
import { type Parts, row } from "../../../ports/Changes.js"
import type { Ids } from "../../../ports/Ids.js"
import { runJob } from "./runJob.js"

/**
 * The keys that identify a duplicate event (docs/reference/events.md#deduplication-of-events): `dedupe_key` and
 * `Idempotency-Key`.
 */
export const keysOf = ({
  dedupeKey,
  idempotencyKey
}: Pick<BusinessEvent, "dedupeKey" | "idempotencyKey">): ReadonlyArray<string> => [
  ...new Set(dedupeKey === null ? [idempotencyKey] : [dedupeKey, idempotencyKey])
]

/**
 * Starts a run of each workflow: the run, its run keys, and its job. A workflow in which one of the event's keys has
 * started a run is left out (docs/reference/events.md#deduplication-of-events). A concurrent claim of a key makes the
 * commit conflict; the event is then decided again.
 */
export const startRuns = (
  event: BusinessEvent,
  workflows: ReadonlyArray<Workflow>,
  /** Existing run keys with one of the event's keys, of its application. */
  taken: ReadonlyArray<RunKey>,
  ids: Ids
): Parts => {
  const started = workflows.flatMap((workflow): ReadonlyArray<Run> => {
    const { id: workflowId, versionId } = workflow
    // A workflow that was published before definitions had actions has no version.
    if (versionId === null || taken.some((key) => key.workflowId === workflowId)) return []
    return [newRun(event, workflowId, versionId, ids)]
  })
  const { applicationId, createdAt, workspaceId } = event
  return {
    claims: started.flatMap(({ id: runId, workflowId }) =>
      keysOf(event).map((key) => row("runKeys", { workflowId, applicationId, key, workspaceId, runId }))
    ),
    inserts: started.flatMap((run) => [row("workflowRuns", run), row("jobs", runJob(run, createdAt))])
  }
}

/** A new run of a workflow, before its first action. */
export const newRun = (
  event: Omit<BusinessEvent, "dedupeKey" | "idempotencyKey">,
  workflowId: string,
  versionId: string,
  ids: Ids
): Run => ({
  id: ids.next(event.createdAt),
  workspaceId: event.workspaceId,
  workflowId,
  versionId,
  applicationId: event.applicationId,
  contactId: event.contactId,
  businessEventId: event.id,
  eventName: event.name,
  data: event.data,
  exactData: hasExactNumbers(event.data) ? exactJson(event.data) : null,
  status: "running",
  position: 0,
  pending: null,
  steps: [],
  reason: null,
  createdAt: event.createdAt,
  endedAt: null,
  version: 1
})
