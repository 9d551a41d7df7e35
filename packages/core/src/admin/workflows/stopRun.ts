import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Action } from "../../workflows/definition/Action.js"
import { isOver } from "../../workflows/runs/Run.js"
import type { KnownRun } from "../../workflows/runs/RunResource.js"
import { audited } from "../audited.js"
import { found } from "../found.js"

/**
 * `POST /workflow-runs/{id}/stop`: it carries out nothing more; what it did stays done. Its job is due at once, and finds it
 * stopped. One that is over is 409 `invalid_transition`.
 */
export const stopRun = (
  present: KnownRun | undefined,
  now: Instant,
  ids: Ids
): Either.Either<Decision<KnownRun>, Refusal> =>
  Either.flatMap(found(present), ({ run, version }) => {
    const { applicationId, id, workspaceId } = run
    if (isOver(run)) return Either.left(refuse("invalid_transition", {}, `This run is ${run.status} already.`))
    const atHand = run.pending === null ? undefined : version.definition.actions[run.position]
    const reason = `an administrator stopped it${atHand === undefined ? "" : ` while ${nameOf(atHand)} was under way`}`
    const stopped = { status: "stopped", pending: null, reason, endedAt: now } as const
    const entry = { workspaceId, applicationId, action: "workflow_run.stopped", subjectId: id }
    return Either.right({
      changes: changes(workspaceId, {
        // A run and its job have one id.
        expects: [expect("workflowRuns", { id }, { version: run.version }), expect("jobs", { id })],
        sets: [set("workflowRuns", { id }, stopped), set("jobs", { id }, { runAt: now })],
        inserts: [audited(entry, now, ids)]
      }),
      result: { run: { ...run, ...stopped, version: run.version + 1 }, version }
    })
  })

const nameOf = ({ name, type }: Action): string => (name === null ? type : `${type} "${name}"`)
