import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changeProblems } from "../../input/Patch.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Workflow } from "../../workflows/Workflow.js"
import { found } from "../found.js"
import type { WorkflowPatch } from "./WorkflowInput.js"

/** `PATCH /workflows/{id}`: its name; and its trigger, unless it is published: that is 409 `invalid_transition`. */
export const updateWorkflow = (
  present: Workflow | undefined,
  draft: Draft<WorkflowPatch>
): Either.Either<Decision<Workflow>, Refusal> =>
  Either.gen(function* () {
    const workflow = yield* found(present)
    const { id, workspaceId, version } = workflow
    const patch = yield* complete(draft, changeProblems({ workspace_id: [workspaceId, draft.value.workspaceId] }))
    const eventName = patch.trigger?.event ?? workflow.eventName
    if (workflow.status === "published" && eventName !== workflow.eventName) {
      return yield* Either.left(
        refuse("invalid_transition", {}, "A published workflow keeps its trigger. Unpublish it to change that.")
      )
    }
    const name = patch.name ?? workflow.name
    if (name === workflow.name && eventName === workflow.eventName) return { changes: null, result: workflow }
    return {
      changes: changes(workspaceId, {
        expects: [expect("workflows", { id }, { version })],
        sets: [set("workflows", { id }, { name, eventName })]
      }),
      result: { ...workflow, name, eventName, version: version + 1 }
    }
  })
