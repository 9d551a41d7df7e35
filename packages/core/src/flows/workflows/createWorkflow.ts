import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { Instant } from "../../model/Instant.js"
import type { Workflow } from "../../model/Workflow.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { signingSecret } from "../webhooks/signingSecret.js"
import { definitionOf } from "./definition/DefinitionInput.js"
import { withSealedUrls } from "./definition/sealedUrls.js"
import type { WorkflowInput } from "./WorkflowInput.js"
import type { WorkflowWithSecret } from "./WorkflowWithSecret.js"

/**
 * `POST /workflows`: creates a draft, which does not run before it is published. References are checked when it is
 * published.
 */
export const createWorkflow = (
  workspace: Workspace | undefined,
  command: { readonly decoded: PartialDecode<WorkflowInput>; readonly seal: SecretBox["seal"] },
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<WorkflowWithSecret>, Refusal> =>
  Either.map(
    complete(command.decoded, workspaceProblems(command.decoded.value.workspaceId, workspace)),
    ({ name, trigger, workspaceId, ...input }) => {
      const secret = signingSecret(ids)
      const workflow: Workflow = {
        id: ids.next(now),
        workspaceId,
        name,
        status: "draft",
        eventName: trigger.event,
        definition: withSealedUrls(definitionOf(input), command.seal),
        versionId: null,
        versions: 0,
        edited: true,
        secret: command.seal(secret),
        createdAt: now,
        version: 1
      }
      const entry = { workspaceId, applicationId: null, action: "workflow.created", subjectId: workflow.id }
      return {
        changes: changes(workspaceId, {
          expects: [expect("workspaces", { id: workspaceId })],
          inserts: [row("workflows", workflow), auditRow(entry, now, ids)]
        }),
        result: { workflow, secret }
      }
    }
  )
