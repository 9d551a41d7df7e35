import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import { invalid, type Problems, type Refusal, refuse } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Workflow, WorkflowVersion } from "../../workflows/Workflow.js"
import { audited } from "../audited.js"
import { found } from "../found.js"

/** What publishing may look at. */
export interface PublishWorld {
  readonly workflow: Workflow
  /** Why its definition cannot be carried out, by path; none where it can. */
  readonly problems: Problems
}

/**
 * `POST /workflows/{id}/publish`: from then on events of its name start it, with its definition as it is now. A definition
 * that differs from the version before is a new one; what began keeps its own. Refuses what cannot be carried out with 422, and
 * one that is published as it is with 409 `invalid_transition`.
 */
export const publishWorkflow = (
  world: PublishWorld | undefined,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Workflow>, Refusal> =>
  Either.flatMap(found(world), ({ problems, workflow }) => {
    const { definition, edited, id, version, workspaceId } = workflow
    if (workflow.status === "published" && !edited) {
      return Either.left(refuse("invalid_transition", {}, "This workflow is published already, just as it is."))
    }
    if (Object.keys(problems).length > 0) return Either.left(invalid(problems))
    const made: WorkflowVersion | null = edited
      ? { id: ids.next(now), workspaceId, workflowId: id, number: workflow.versions + 1, definition, createdAt: now }
      : null
    const published = {
      status: "published",
      ...(made === null ? {} : { versionId: made.id, versions: made.number, edited: false })
    } as const
    const entry = { workspaceId, applicationId: null, action: "workflow.published", subjectId: id }
    return Either.right({
      changes: changes(workspaceId, {
        expects: [expect("workflows", { id }, { version })],
        sets: [set("workflows", { id }, published)],
        inserts: [...(made === null ? [] : [row("workflowVersions", made)]), audited(entry, now, ids)]
      }),
      result: { ...workflow, ...published, version: version + 1 }
    })
  })
