import type { Conversation } from "../conversations/Conversation.js"
import { encodeConversation } from "../conversations/ConversationResource.js"
import type { EventType } from "../events/Event.js"
import type { NewEvent } from "../events/Outbox.js"
import { timestamp } from "../Instant.js"
import type { BotSession } from "./BotSession.js"

/**
 * An event about a bot's dialogue as it is now (spec, Events; decisions.md §12): heard by those whose allow-list has the
 * conversation's connection, and where an application's event started the dialogue, by that application alone (§9). Its subject
 * is the conversation, with which it is erased.
 */
export const botEvent = (
  type: EventType & `bot.${string}`,
  { answers, applicationId, botId, botName, id, outcome, startedAt, workspaceId }: BotSession,
  conversation: Conversation,
  serviceWindowHours: number | null
): NewEvent => ({
  workspaceId,
  type,
  applicationId,
  connectionId: conversation.connectionId,
  subjectId: conversation.id,
  data: {
    conversation: encodeConversation(conversation, serviceWindowHours),
    bot: {
      id: botId,
      name: botName,
      session_id: id,
      started_at: timestamp(startedAt),
      ...(type === "bot.started" ? {} : { answers }),
      ...(type === "bot.completed" ? { outcome } : {})
    }
  }
})
