import type { Conversation } from "../conversations/Conversation.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { expect, type Parts, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { BotSession } from "./BotSession.js"
import { botEvent } from "./botEvent.js"
import { ended, recordSession } from "./recordSession.js"

/**
 * Stops the bot that is active in a conversation, for the commit by which a person takes over (spec, Events: stopped by an
 * agent); where none is, that none starts before. `session`: the conversation's. `taken`: the conversation after that commit.
 */
export const stopBot = (
  session: BotSession | undefined,
  taken: Conversation,
  serviceWindowHours: number | null,
  subscribers: Subscribers,
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => {
  const { botSessionId, id } = taken
  const present: Parts = { expects: [expect("conversations", { id }, { botSessionId })] }
  if (session === undefined || session.status !== "active") return [present]
  const stopped = ended(session, { type: "stopped" }, now)
  const conversation = { ...taken, botSessionId: null }
  const event = botEvent("bot.completed", stopped, conversation, serviceWindowHours)
  return [
    present,
    ...recordSession(session, stopped),
    {
      sets: [set("conversations", { id }, { botSessionId: null })],
      inserts: [...emit(subscribers, event, now, ids)]
    }
  ]
}
