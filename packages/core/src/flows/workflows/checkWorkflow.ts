import { Either } from "effect"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { Workspace } from "../../model/Workspace.js"
import type { WorkflowCheck } from "./WorkflowInput.js"
import type { WorkflowCheckResource } from "./WorkflowResource.js"

/** `POST /workflows/validate`. `problems`: problems of the readable part of the definition, by path. */
export const checkWorkflow = (
  world: { readonly workspace: Workspace | undefined; readonly problems: Problems },
  decoded: PartialDecode<WorkflowCheck>
): Either.Either<typeof WorkflowCheckResource.Type, Refusal> =>
  Either.map(complete(decoded, workspaceProblems(decoded.value.workspaceId, world.workspace), world.problems), () => ({
    valid: true
  }))
