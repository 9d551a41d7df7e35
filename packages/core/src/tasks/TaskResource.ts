import { Schema } from "effect"
import { Timestamp } from "../Instant.js"

const id = Schema.NullOr(Schema.String)

/** A task on the wire (decisions.md §14). */
export const TaskResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  title: Schema.String,
  contactId: Schema.propertySignature(id).pipe(Schema.fromKey("contact_id")),
  conversationId: Schema.propertySignature(id).pipe(Schema.fromKey("conversation_id")),
  assignedUserId: Schema.propertySignature(id).pipe(Schema.fromKey("assigned_user_id")),
  assignedTeamId: Schema.propertySignature(id).pipe(Schema.fromKey("assigned_team_id")),
  status: Schema.Literal("open", "done"),
  dueAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("due_at")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "Task" })
