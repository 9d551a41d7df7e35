import type { EventType } from "../events/Event.js"
import type { NewEvent } from "../events/Outbox.js"
import type { Conversation } from "./Conversation.js"
import { encodeConversation } from "./ConversationResource.js"

/** An event about a conversation as it is now; heard by those whose allow-list has its connection. */
export const conversationEvent = (
  type: EventType & `conversation.${string}`,
  conversation: Conversation,
  serviceWindowHours: number | null,
  more: { readonly [key: string]: unknown } = {}
): NewEvent => ({
  workspaceId: conversation.workspaceId,
  type,
  applicationId: null,
  connectionId: conversation.connectionId,
  subjectId: conversation.id,
  data: { conversation: encodeConversation(conversation, serviceWindowHours), ...more }
})
