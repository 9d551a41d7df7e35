import { Schema } from "effect"
import { oneOf, uuid } from "../../input/Fields.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"
import type { Task } from "../../tasks/Task.js"

/** The query of `GET /tasks`. */
export const TaskListQuery = Schema.Struct({
  ...listFields,
  workspaceId: queryFilter(uuid).pipe(Schema.fromKey("workspace_id")),
  contactId: queryFilter(uuid).pipe(Schema.fromKey("contact_id")),
  assignedUserId: queryFilter(uuid).pipe(Schema.fromKey("assigned_user_id")),
  assignedTeamId: queryFilter(uuid).pipe(Schema.fromKey("assigned_team_id")),
  status: queryFilter(oneOf<Task["status"]>(["open", "done"]))
})
export type TaskListQuery = typeof TaskListQuery.Type
