import { Schema } from "effect"
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
