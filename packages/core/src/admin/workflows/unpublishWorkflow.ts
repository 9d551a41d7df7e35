import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Workflow } from "../../workflows/Workflow.js"
import { audited } from "../audited.js"
import { found } from "../found.js"

/**
 * `POST /workflows/{id}/unpublish`: no event starts it any more; runs that began go on. One that is not published is 409
 * `invalid_transition`.
 */
export const unpublishWorkflow = (
  present: Workflow | undefined,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Workflow>, Refusal> =>
  Either.flatMap(found(present), (workflow) => {
    const { id, status, version, workspaceId } = workflow
    if (status !== "published") {
      return Either.left(refuse("invalid_transition", {}, "This workflow is not published."))
    }
    const entry = { workspaceId, applicationId: null, action: "workflow.unpublished", subjectId: id }
    return Either.right({
      changes: changes(workspaceId, {
        expects: [expect("workflows", { id }, { version })],
        sets: [set("workflows", { id }, { status: "unpublished" })],
        inserts: [audited(entry, now, ids)]
      }),
      result: { ...workflow, status: "unpublished", version: version + 1 }
    })
  })
