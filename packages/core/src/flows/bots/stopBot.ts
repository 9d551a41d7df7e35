import type { BotSession } from "../../model/BotSession.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import { expect, type Parts, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { emit, type Subscribers } from "../../resources/events/Outbox.js"
import { botEvent } from "./botEvent.js"
import { ended, recordSession } from "./recordSession.js"

interface StopBotWorld {
  /** The session of the conversation. */
  readonly session: BotSession | undefined
  readonly serviceWindowHours: number | null
  readonly subscribers: Subscribers
}

/**
 * Stops the active bot of a conversation, in the commit by which a person takes over
 * (docs/reference/automations.md#who-stops-a-bot). Without an active bot, conflicts with a concurrent start. `taken`:
 * the conversation after the commit.
 */
export const stopBot = (
  { serviceWindowHours, session, subscribers }: StopBotWorld,
  taken: Conversation,
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
