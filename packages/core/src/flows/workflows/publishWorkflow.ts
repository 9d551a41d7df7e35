import { Either } from "effect"
import { invalid, type Problems, type Refusal, refuse } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Instant } from "../../model/Instant.js"
import type { Workflow, WorkflowVersion } from "../../model/Workflow.js"
import { changes, expect, row, set } from "../../ports/Changes.js"

/** What the rules of publishing read. */
export interface PublishWorld {
  readonly workflow: Workflow
  /** Problems of the definition, by path. */
  readonly problems: Problems
}

/**
 * `POST /workflows/{id}/publish`: events with its name start runs of the present definition. A changed definition
 * becomes a new version; running runs keep theirs. Fails with 422 for an invalid definition, and with 409
 * `invalid_transition` if this definition is published already.
 */
export const publishWorkflow = (
  world: PublishWorld | undefined,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Workflow>, Refusal> =>
  Either.flatMap(orNotFound(world), ({ problems, workflow }) => {
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
        inserts: [...(made === null ? [] : [row("workflowVersions", made)]), auditRow(entry, now, ids)]
      }),
      result: { ...workflow, ...published, version: version + 1 }
    })
  })
