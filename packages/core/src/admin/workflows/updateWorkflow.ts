import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { isSameJson } from "../../input/isSameJson.js"
import { changeProblems } from "../../input/Patch.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Definition, Workflow, WorkflowVersion } from "../../workflows/Workflow.js"
import { found } from "../found.js"
import type { WorkflowPatch } from "./WorkflowInput.js"

/** What a change of a workflow may look at. */
export interface UpdateWorkflowWorld {
  readonly workflow: Workflow
  /** What it was published as last. */
  readonly newest: WorkflowVersion | undefined
}

/**
 * `PATCH /workflows/{id}`: its name and its definition, of which events get the published version until it is published again;
 * and its trigger, unless it is published: that is 409 `invalid_transition`.
 */
export const updateWorkflow = (
  world: UpdateWorkflowWorld | undefined,
  draft: Draft<WorkflowPatch>
): Either.Either<Decision<Workflow>, Refusal> =>
  Either.gen(function* () {
    const { newest, workflow } = yield* found(world)
    const { id, workspaceId, version } = workflow
    const patch = yield* complete(draft, changeProblems({ workspace_id: [workspaceId, draft.value.workspaceId] }))
    const eventName = patch.trigger?.event ?? workflow.eventName
    if (workflow.status === "published" && eventName !== workflow.eventName) {
      return yield* Either.left(
        refuse("invalid_transition", {}, "A published workflow keeps its trigger. Unpublish it to change that.")
      )
    }
    const name = patch.name ?? workflow.name
    const { actions = workflow.definition.actions, conditions = workflow.definition.conditions } = patch
    const definition: Definition = { conditions, actions }
    if (name === workflow.name && eventName === workflow.eventName && isSameJson(definition, workflow.definition)) {
      return { changes: null, result: workflow }
    }
    const edited = newest === undefined || !isSameJson(definition, newest.definition)
    const changed = { name, eventName, definition, edited }
    return {
      changes: changes(workspaceId, {
        expects: [expect("workflows", { id }, { version })],
        sets: [set("workflows", { id }, changed)]
      }),
      result: { ...workflow, ...changed, version: version + 1 }
    }
  })
