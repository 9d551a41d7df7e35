import type { Problems } from "../../errors/Refusal.js"
import type { TaskListQuery } from "./TaskListQuery.js"

/**
 * What is wrong with a query that would look through the tasks of every workspace: who has them and their status narrow down
 * those of a workspace or a contact, and no index finds them alone.
 */
export const missingOwner = (query: Partial<TaskListQuery>): Problems => {
  const { assignedTeamId, assignedUserId, contactId, status, workspaceId } = query
  const narrowed = assignedTeamId != null || assignedUserId != null || status != null
  return narrowed && workspaceId == null && contactId == null
    ? { workspace_id: ["is required with assigned_user_id, assigned_team_id and status, unless contact_id is given"] }
    : {}
}
