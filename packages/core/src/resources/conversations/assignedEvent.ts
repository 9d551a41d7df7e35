import type { Conversation } from "../../model/Conversation.js"
import type { NewEvent } from "../events/Outbox.js"
import { conversationEvent } from "./conversationEvent.js"

/**
 * `conversation.assigned` (docs/reference/conversations.md#assignment): the conversation as of now and its previous
 * assignees.
 */
export const assignedEvent = (
  before: Pick<Conversation, "assignedUserId" | "assignedTeamId">,
  conversation: Conversation,
  serviceWindowHours: number | null
): NewEvent =>
  conversationEvent("conversation.assigned", conversation, serviceWindowHours, {
    previous_user_id: before.assignedUserId,
    previous_team_id: before.assignedTeamId
  })
