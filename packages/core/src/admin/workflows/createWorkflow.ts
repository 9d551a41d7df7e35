import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Workflow } from "../../workflows/Workflow.js"
import { workspaceProblems } from "../workspaceProblems.js"
import type { WorkflowInput } from "./WorkflowInput.js"

/** `POST /workflows`: a draft, which runs only once it is published. */
export const createWorkflow = (
  workspace: Workspace | undefined,
  draft: Draft<WorkflowInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Workflow>, Refusal> =>
  Either.map(
    complete(draft, workspaceProblems(draft.value.workspaceId, workspace)),
    ({ workspaceId, name, trigger }) => {
      const workflow: Workflow = {
        id: ids.next(now),
        workspaceId,
        name,
        status: "draft",
        eventName: trigger.event,
        createdAt: now,
        version: 1
      }
      return {
        changes: changes(workspaceId, {
          expects: [expect("workspaces", { id: workspaceId })],
          inserts: [row("workflows", workflow)]
        }),
        result: workflow
      }
    }
  )
