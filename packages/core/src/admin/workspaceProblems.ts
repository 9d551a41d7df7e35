import type { Workspace } from "../access/Workspace.js"
import type { Problems } from "../errors/Refusal.js"

/** What is wrong with a `workspace_id` in a body: nobody has it. */
export const workspaceProblems = (id: string | undefined, workspace: Workspace | undefined): Problems =>
  id !== undefined && workspace === undefined ? { workspace_id: ["must be the id of a workspace"] } : {}
