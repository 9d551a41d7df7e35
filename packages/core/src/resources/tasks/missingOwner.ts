import type { Problems } from "../../errors/Refusal.js"
import type { TaskListQuery } from "./TaskListQuery.js"

/**
 * Requires `workspace_id` or `contact_id` with a filter by assignee or status: no index serves those filters alone, so
 * the query would scan the tasks of every workspace.
 */
export const missingOwner = (query: Partial<TaskListQuery>): Problems => {
  const { assignedTeamId, assignedUserId, contactId, status, workspaceId } = query
  const narrowed = assignedTeamId != null || assignedUserId != null || status != null
  return narrowed && workspaceId == null && contactId == null
    ? { workspace_id: ["is required with assigned_user_id, assigned_team_id and status, unless contact_id is given"] }
    : {}
}
