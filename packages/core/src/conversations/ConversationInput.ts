import { Schema } from "effect"
import { draft } from "../input/Draft.js"
import { oneOf, uuid } from "../input/Fields.js"
import { clearable, given, unchangeable } from "../input/Patch.js"
import { ConversationStatus } from "./Conversation.js"

/** The body of `PATCH /conversations/{id}` (decisions.md §9, §14). Null unassigns. */
export const ConversationPatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  contactId: unchangeable.pipe(Schema.fromKey("contact_id")),
  connectionId: unchangeable.pipe(Schema.fromKey("connection_id")),
  status: given(oneOf(ConversationStatus.literals)),
  assignedUserId: clearable(uuid).pipe(Schema.fromKey("assigned_user_id")),
  assignedTeamId: clearable(uuid).pipe(Schema.fromKey("assigned_team_id"))
}).annotations({ identifier: "ConversationPatch" })
export type ConversationPatch = typeof ConversationPatch.Type

export const conversationPatchDraft = draft(ConversationPatch)
