import { type Parts, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { BusinessEvent } from "../BusinessEvent.js"
import type { Workflow } from "../Workflow.js"
import type { Run, RunKey } from "./Run.js"
import { runJob } from "./runJob.js"

/** The keys by which a second event is known to be the same one (decisions.md §5): its dedupe key, and its `Idempotency-Key`. */
export const keysOf = ({
  dedupeKey,
  idempotencyKey
}: Pick<BusinessEvent, "dedupeKey" | "idempotencyKey">): ReadonlyArray<string> => [
  ...new Set(dedupeKey === null ? [idempotencyKey] : [dedupeKey, idempotencyKey])
]

/**
 * Starts a run of each workflow by an event: the run, the claims of the event's keys, and the job that carries the run on. A
 * workflow in which one of the keys started a run already is left out (spec, POST /events). Where another host claims a key at
 * the same moment, the commit is lost, and the event is decided anew with what that one started.
 */
export const startRuns = (
  event: BusinessEvent,
  workflows: ReadonlyArray<Workflow>,
  /** Those that have one of the event's keys, of its application. */
  taken: ReadonlyArray<RunKey>,
  ids: Ids
): Parts => {
  const started = workflows.flatMap((workflow): ReadonlyArray<Run> => {
    const { id: workflowId, versionId } = workflow
    // What was published before workflows had actions has none to carry out.
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

/** A run of a workflow by an event, before its first action. */
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
  status: "running",
  position: 0,
  pending: null,
  steps: [],
  reason: null,
  createdAt: event.createdAt,
  endedAt: null,
  version: 1
})
