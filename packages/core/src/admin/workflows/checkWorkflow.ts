import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import type { WorkflowCheckResource } from "../../workflows/WorkflowResource.js"
import { workspaceProblems } from "../workspaceProblems.js"
import type { WorkflowCheck } from "./WorkflowInput.js"

/** `POST /workflows/validate`. `problems`: why what could be read of the definition cannot be published, by path. */
export const checkWorkflow = (
  world: { readonly workspace: Workspace | undefined; readonly problems: Problems },
  draft: Draft<WorkflowCheck>
): Either.Either<typeof WorkflowCheckResource.Type, Refusal> =>
  Either.map(complete(draft, workspaceProblems(draft.value.workspaceId, world.workspace), world.problems), () => ({
    valid: true
  }))
