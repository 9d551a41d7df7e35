import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import { isSameJson } from "../../kernel/input/isSameJson.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems } from "../../kernel/input/Patch.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Definition, Workflow } from "../../model/Workflow.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { withSealedUrls } from "./definition/sealedUrls.js"
import type { WorkflowPatch } from "./WorkflowInput.js"

/** What the rules of an update read. */
export interface UpdateWorkflowWorld {
  readonly workflow: Workflow
  /** The workflow's definition in clear text. */
  readonly definition: Definition
  /** That of the last published version; undefined: never published. */
  readonly newest: Definition | undefined
}

/**
 * `PATCH /workflows/{id}`: changes name and definition; events start the published version until it is published again.
 * Changing the trigger of a published workflow fails with 409 `invalid_transition`.
 */
export const updateWorkflow = (
  world: UpdateWorkflowWorld | undefined,
  { decoded, seal }: { readonly decoded: PartialDecode<WorkflowPatch>; readonly seal: SecretBox["seal"] }
): Either.Either<Decision<Workflow>, Refusal> =>
  Either.gen(function* () {
    const { definition: present, newest, workflow } = yield* orNotFound(world)
    const { id, workspaceId, version } = workflow
    const patch = yield* complete(decoded, changeProblems({ workspace_id: [workspaceId, decoded.value.workspaceId] }))
    const eventName = patch.trigger?.event ?? workflow.eventName
    if (workflow.status === "published" && eventName !== workflow.eventName) {
      return yield* Either.left(
        refuse("invalid_transition", {}, "A published workflow keeps its trigger. Unpublish it to change that.")
      )
    }
    const name = patch.name ?? workflow.name
    const { actions = present.actions, conditions = present.conditions } = patch
    const definition: Definition = { conditions, actions }
    if (name === workflow.name && eventName === workflow.eventName && isSameJson(definition, present)) {
      return { changes: null, result: workflow }
    }
    const edited = newest === undefined || !isSameJson(definition, newest)
    const changed = { name, eventName, definition: withSealedUrls(definition, seal), edited }
    return {
      changes: changes(workspaceId, {
        expects: [expect("workflows", { id }, { version })],
        sets: [set("workflows", { id }, changed)]
      }),
      result: { ...workflow, ...changed, version: version + 1 }
    }
  })
