import type { Problems } from "../../errors/Refusal.js"
import type { Workspace } from "../../model/Workspace.js"

/** Problem of a `workspace_id` in a body for which no workspace exists. */
export const workspaceProblems = (id: string | undefined, workspace: Workspace | undefined): Problems =>
  id !== undefined && workspace === undefined ? { workspace_id: ["must be the id of a workspace"] } : {}
