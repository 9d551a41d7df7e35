import { Schema } from "effect"
import { dateOrTime } from "../../input/DateOrTime.js"
import { draft } from "../../input/Draft.js"
import { oneOf, optional, requiredText, uuid } from "../../input/Fields.js"
import { clearable, given, unchangeable } from "../../input/Patch.js"
import type { Task } from "../../tasks/Task.js"

const title = requiredText(255)
const dueAt = dateOrTime.annotations({ jsonSchema: { type: "string", format: "date-time" } })

/** The body of `POST /tasks` (decisions.md §14). */
export const TaskInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  title,
  contactId: optional(uuid).pipe(Schema.fromKey("contact_id")),
  conversationId: optional(uuid).pipe(Schema.fromKey("conversation_id")),
  assignedUserId: optional(uuid).pipe(Schema.fromKey("assigned_user_id")),
  assignedTeamId: optional(uuid).pipe(Schema.fromKey("assigned_team_id")),
  dueAt: optional(dueAt).pipe(Schema.fromKey("due_at"))
}).annotations({ identifier: "TaskInput" })
export type TaskInput = typeof TaskInput.Type

/** The body of `PATCH /tasks/{id}`. Null takes away whom it is about, who has it and when it is due. */
export const TaskPatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  title: given(title),
  contactId: clearable(uuid).pipe(Schema.fromKey("contact_id")),
  conversationId: clearable(uuid).pipe(Schema.fromKey("conversation_id")),
  assignedUserId: clearable(uuid).pipe(Schema.fromKey("assigned_user_id")),
  assignedTeamId: clearable(uuid).pipe(Schema.fromKey("assigned_team_id")),
  dueAt: clearable(dueAt).pipe(Schema.fromKey("due_at")),
  status: given(oneOf<Task["status"]>(["open", "done"]))
}).annotations({ identifier: "TaskPatch" })
export type TaskPatch = typeof TaskPatch.Type

export const taskDraft = draft(TaskInput)
export const taskPatchDraft = draft(TaskPatch)
