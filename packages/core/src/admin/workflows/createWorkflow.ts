import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { definitionOf } from "../../workflows/definition/DefinitionInput.js"
import type { Workflow } from "../../workflows/Workflow.js"
import { audited } from "../audited.js"
import { signingSecret } from "../endpoints/signingSecret.js"
import { workspaceProblems } from "../workspaceProblems.js"
import type { WorkflowInput } from "./WorkflowInput.js"
import type { WorkflowWithSecret } from "./WorkflowWithSecret.js"

/** `POST /workflows`: a draft, which runs only once it is published. What it names need not be there before that. */
export const createWorkflow = (
  workspace: Workspace | undefined,
  command: { readonly draft: Draft<WorkflowInput>; readonly seal: SecretBox["seal"] },
  now: Instant,
  ids: Ids
): Either.Either<Decision<WorkflowWithSecret>, Refusal> =>
  Either.map(
    complete(command.draft, workspaceProblems(command.draft.value.workspaceId, workspace)),
    ({ name, trigger, workspaceId, ...input }) => {
      const secret = signingSecret(ids)
      const workflow: Workflow = {
        id: ids.next(now),
        workspaceId,
        name,
        status: "draft",
        eventName: trigger.event,
        definition: definitionOf(input),
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
          inserts: [row("workflows", workflow), audited(entry, now, ids)]
        }),
        result: { workflow, secret }
      }
    }
  )
