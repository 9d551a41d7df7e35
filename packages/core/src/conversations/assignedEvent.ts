import type { NewEvent } from "../events/Outbox.js"
import type { Conversation } from "./Conversation.js"
import { conversationEvent } from "./conversationEvent.js"

/** `conversation.assigned` (spec, Events): the conversation as it is now, and who had it before. */
export const assignedEvent = (
  before: Pick<Conversation, "assignedUserId" | "assignedTeamId">,
  conversation: Conversation,
  serviceWindowHours: number | null
): NewEvent =>
  conversationEvent("conversation.assigned", conversation, serviceWindowHours, {
    previous_user_id: before.assignedUserId,
    previous_team_id: before.assignedTeamId
  })
