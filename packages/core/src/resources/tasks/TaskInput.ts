import { dateOrTime } from "../../kernel/input/DateOrTime.js"
import { oneOf, optional, requiredText, uuid } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { clearable, expectation, given, unchangeable } from "../../kernel/input/Patch.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, part, wire } from "../../kernel/input/wire.js"
import type { Task } from "../../model/Task.js"

const title = requiredText(255)
const dueAt = dateOrTime.annotations({ jsonSchema: { type: "string", format: "date-time" } })

/** The body of `POST /tasks` (docs/reference/administration.md#agents-teams-and-tasks). */
export const TaskInput = component("TaskInput", "A task to create; its status is `open`.", {
  workspaceId: wire("workspace_id", uuid, { examples: [sampleIds.workspace] }),
  title: field(title, { examples: ["Call Ada back"] }),
  contactId: wire("contact_id", optional(uuid), {
    description: "The task's contact; by default that of the conversation."
  }),
  conversationId: wire("conversation_id", optional(uuid), { examples: [sampleIds.conversation] }),
  assignedUserId: wire("assigned_user_id", optional(uuid), { description: "An active agent of the workspace." }),
  assignedTeamId: wire("assigned_team_id", optional(uuid), { description: "A team of the workspace." }),
  dueAt: wire("due_at", optional(dueAt), { examples: [Date.parse("2026-05-05T08:30:00.000Z")] })
})
export type TaskInput = typeof TaskInput.Type

const changing = {
  title: given(title),
  assignedUserId: wire("assigned_user_id", clearable(uuid)),
  assignedTeamId: wire("assigned_team_id", clearable(uuid)),
  dueAt: wire("due_at", clearable(dueAt)),
  status: given(oneOf<Task["status"]>(["open", "done"]))
}

/** The body of `PATCH /tasks/{id}`. Null takes away whom it is about, who has it and when it is due. */
export const TaskPatch = component(
  "TaskPatch",
  "What to change; null clears the contact, the assignees and the due time.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    contactId: wire("contact_id", clearable(uuid)),
    conversationId: wire("conversation_id", clearable(uuid)),
    ...changing,
    expect: expectation(part(changing))
  },
  { example: { status: "done" } }
)
export type TaskPatch = typeof TaskPatch.Type

export const decodeTaskInput = partialDecode(TaskInput)
export const decodeTaskPatch = partialDecode(TaskPatch)
