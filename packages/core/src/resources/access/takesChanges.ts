import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Workspace } from "../../model/Workspace.js"

/**
 * Refuses what agents send in a suspended or unavailable workspace
 * (docs/reference/authentication.md#suspended-workspaces).
 */
export const takesChanges = ({ status }: Pick<Workspace, "status">): Either.Either<null, Refusal> =>
  status === "active"
    ? Either.right(null)
    : Either.left(refuse(status === "suspended" ? "workspace_suspended" : "workspace_unavailable"))
