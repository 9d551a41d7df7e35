import { Schema } from "effect"
import { component, createdAt, field, ids, nullableId, wire, workspaceId } from "../../kernel/input/wire.js"
import { Timestamp } from "../../model/Instant.js"

const _id = Schema.NullOr(Schema.String)

/** A task on the wire (docs/reference/administration.md#agents-teams-and-tasks). */
export const TaskResource = component("Task", "A task of people of the workspace.", {
  id: ids.task,
  workspaceId,
  title: field(Schema.String, { examples: ["Call Ada back"] }),
  contactId: wire("contact_id", Schema.NullOr(ids.contact)),
  conversationId: wire("conversation_id", Schema.NullOr(ids.conversation)),
  assignedUserId: wire("assigned_user_id", Schema.NullOr(ids.agent)),
  assignedTeamId: wire("assigned_team_id", nullableId),
  status: Schema.Literal("open", "done"),
  dueAt: wire("due_at", Schema.NullOr(Timestamp), { examples: [Date.parse("2026-05-05T08:30:00.000Z")] }),
  createdAt
})
