import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Instant } from "../../model/Instant.js"
import type { Run } from "../../model/Run.js"
import { changes, expect, row, set } from "../../ports/Changes.js"
import { runJob } from "./runs/runJob.js"

/**
 * `POST /workflow-runs/{id}/retry`: a failed run continues with the action that failed. Its failed step stays. Any
 * other run fails with 409 `invalid_transition`: a stopped one may have sent the message of the action at which it was
 * stopped.
 */
export const retryRun = (
  present: Run | undefined,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<unknown>, Refusal> =>
  Either.flatMap(orNotFound(present), (run) => {
    const { applicationId, endedAt, id, pending, status, steps, version, workspaceId } = run
    if (status !== "failed") {
      return Either.left(
        refuse("invalid_transition", {}, `This run is ${status}: only a failed one can be tried again.`)
      )
    }
    const last = steps.at(-1)
    // A run whose job failed has no step for it, and still waits for what it waited for.
    const position = last?.outcome === "failed" && last.endedAt === endedAt ? last.position : run.position
    const isWaiting = pending !== null
    const retried = { status: isWaiting ? "waiting" : "running", position, reason: null, endedAt: null } as const
    const job = runJob(run, now)
    // Not the start of a run, which the contact's limit counts.
    const continued = { ...job, payload: { ...job.payload, settled: 0 } }
    const entry = { workspaceId, applicationId, action: "workflow_run.retried", subjectId: id }
    return Either.right({
      changes: changes(workspaceId, {
        expects: [expect("workflowRuns", { id }, { version })],
        sets: [set("workflowRuns", { id }, retried)],
        inserts: [row("jobs", continued), auditRow(entry, now, ids)]
      }),
      result: undefined
    })
  })
