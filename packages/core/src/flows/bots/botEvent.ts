import type { BotSession } from "../../model/BotSession.js"
import type { Conversation } from "../../model/Conversation.js"
import type { EventType } from "../../model/Event.js"
import { timestamp } from "../../model/Instant.js"
import { encodeConversation } from "../../resources/conversations/ConversationResource.js"
import type { NewEvent } from "../../resources/events/Outbox.js"

/**
 * An event with the present state of a bot session (docs/reference/events.md#bot-object). Applications with the
 * conversation's connection on their allow-list receive it; if an application's event started the session, that
 * application only (docs/reference/authentication.md#visibility). Its subject is the conversation, so that an erasure
 * finds it.
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
