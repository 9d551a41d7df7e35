import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Action } from "../../model/Action.js"
import type { Instant } from "../../model/Instant.js"
import { isOver } from "../../model/Run.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { KnownRun } from "./runs/RunResource.js"

/**
 * `POST /workflow-runs/{id}/stop`: the run executes no further actions; finished actions stay. Its job becomes due,
 * finds the run stopped and ends. A run that has ended fails with 409 `invalid_transition`.
 */
export const stopRun = (
  present: KnownRun | undefined,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<KnownRun>, Refusal> =>
  Either.flatMap(orNotFound(present), ({ run, version }) => {
    const { applicationId, id, workspaceId } = run
    if (isOver(run)) return Either.left(refuse("invalid_transition", {}, `This run is ${run.status} already.`))
    const currentAction = run.pending === null ? undefined : version.definition.actions[run.position]
    const reason = `an administrator stopped it${currentAction === undefined ? "" : ` while ${nameOf(currentAction)} was under way`}`
    const stopped = { status: "stopped", pending: null, reason, endedAt: now } as const
    const entry = { workspaceId, applicationId, action: "workflow_run.stopped", subjectId: id }
    return Either.right({
      changes: changes(workspaceId, {
        // A run and its job share their id.
        expects: [expect("workflowRuns", { id }, { version: run.version }), expect("jobs", { id })],
        sets: [set("workflowRuns", { id }, stopped), set("jobs", { id }, { runAt: now })],
        inserts: [auditRow(entry, now, ids)]
      }),
      result: { run: { ...run, ...stopped, version: run.version + 1 }, version }
    })
  })

const nameOf = ({ name, type }: Action): string => (name === null ? type : `${type} "${name}"`)
