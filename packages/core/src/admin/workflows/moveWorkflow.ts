import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Workflow } from "../../workflows/Workflow.js"
import { found } from "../found.js"

/**
 * `POST /workflows/{id}/publish` and `…/unpublish`. Any that is not published can be, and only a published one can be
 * unpublished; else 409 `invalid_transition`.
 */
export const moveWorkflow = (
  present: Workflow | undefined,
  status: "published" | "unpublished"
): Either.Either<Decision<Workflow>, Refusal> =>
  Either.flatMap(found(present), (workflow) => {
    const { id, workspaceId, version } = workflow
    const isPublished = workflow.status === "published"
    if (isPublished === (status === "published")) {
      const words = isPublished ? "This workflow is published already." : "This workflow is not published."
      return Either.left(refuse("invalid_transition", {}, words))
    }
    return Either.right({
      changes: changes(workspaceId, {
        expects: [expect("workflows", { id }, { version })],
        sets: [set("workflows", { id }, { status })]
      }),
      result: { ...workflow, status, version: version + 1 }
    })
  })
