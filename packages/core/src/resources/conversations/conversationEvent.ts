import type { Conversation } from "../../model/Conversation.js"
import type { EventType } from "../../model/Event.js"
import type { NewEvent } from "../events/Outbox.js"
import { encodeConversation } from "./ConversationResource.js"

/**
 * An event about a conversation in its state as of now. Applications receive it if the connection is on their
 * allow-list.
 */
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
