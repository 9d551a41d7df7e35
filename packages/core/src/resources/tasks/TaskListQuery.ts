import { Schema } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { oneOf } from "../../kernel/input/Fields.js"
import { filters, listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { field } from "../../kernel/input/wire.js"
import type { Task } from "../../model/Task.js"

/** The query of `GET /tasks`. */
export const TaskListQuery = Schema.Struct({
  ...listFields,
  workspaceId: filters.workspaceId,
  contactId: filters.contactId,
  assignedUserId: filters.assignedUserId,
  assignedTeamId: filters.assignedTeamId,
  status: field(queryFilter(oneOf<Task["status"]>(["open", "done"])), { description: "Only those with this status." })
})
export type TaskListQuery = typeof TaskListQuery.Type

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
