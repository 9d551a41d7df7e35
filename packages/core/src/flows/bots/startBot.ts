import type { Bot } from "../../model/Bot.js"
import type { BotSession } from "../../model/BotSession.js"
import type { Instant } from "../../model/Instant.js"
import type { Ids } from "../../ports/Ids.js"
import { type BotWorld, fillOf } from "./BotWorld.js"
import { beginDialogue, type Turn } from "./dialogue.js"
import { type Recorded, recordFirstTurn } from "./recordTurn.js"

/** What starts a bot. */
export interface Origin extends Pick<BotSession, "applicationId" | "workflowRunId"> {
  /** The customer's message that starts it; null: only later messages are for the bot. */
  readonly messageId: string | null
}

/**
 * Starts a bot in a conversation without an active one: sends the greeting and runs until it waits for the customer.
 * `first`: a first turn that replaces the script's. Conflicts with a concurrent change of the conversation.
 */
export const startBot = (
  world: BotWorld,
  bot: Bot,
  { applicationId, messageId, workflowRunId }: Origin,
  now: Instant,
  ids: Ids,
  first?: Turn
): Recorded => {
  const id = ids.next(now)
  const { connection, contact, conversation } = world
  const session: BotSession = {
    id,
    workspaceId: bot.workspaceId,
    botId: bot.id,
    botName: bot.name,
    script: bot.script,
    conversationId: conversation.id,
    contactId: contact.id,
    connectionId: connection.id,
    applicationId,
    workflowRunId,
    status: "active",
    outcome: null,
    reason: null,
    step: null,
    tries: 0,
    answers: {},
    takenUpTo: messageId ?? id,
    startedAt: now,
    expiresAt: now + bot.script.timeOutMs,
    endedAt: null,
    version: 1
  }
  return recordFirstTurn(world, session, first ?? beginDialogue(bot.script, fillOf(world)), now, ids)
}
