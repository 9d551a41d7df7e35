import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Instant } from "../../model/Instant.js"
import type { Workflow } from "../../model/Workflow.js"
import { changes, expect, set } from "../../ports/Changes.js"

/**
 * `POST /workflows/{id}/unpublish`: events no longer start runs; running runs continue. An unpublished workflow fails
 * with 409 `invalid_transition`.
 */
export const unpublishWorkflow = (
  present: Workflow | undefined,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Workflow>, Refusal> =>
  Either.flatMap(orNotFound(present), (workflow) => {
    const { id, status, version, workspaceId } = workflow
    if (status !== "published") {
      return Either.left(refuse("invalid_transition", {}, "This workflow is not published."))
    }
    const entry = { workspaceId, applicationId: null, action: "workflow.unpublished", subjectId: id }
    return Either.right({
      changes: changes(workspaceId, {
        expects: [expect("workflows", { id }, { version })],
        sets: [set("workflows", { id }, { status: "unpublished" })],
        inserts: [auditRow(entry, now, ids)]
      }),
      result: { ...workflow, status: "unpublished", version: version + 1 }
    })
  })
