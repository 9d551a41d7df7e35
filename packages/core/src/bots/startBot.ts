import type { Instant } from "../Instant.js"
import type { Ids } from "../ports/Ids.js"
import type { Bot } from "./Bot.js"
import type { BotSession } from "./BotSession.js"
import { type BotWorld, fillOf } from "./BotWorld.js"
import { begin, type Turn } from "./dialogue.js"
import { type Recorded, recordFirstTurn } from "./recordTurn.js"

/** What starts a bot. */
export interface Origin extends Pick<BotSession, "applicationId" | "workflowRunId"> {
  /** The customer's message that does; null: none, and only what they write from here on is for the bot. */
  readonly messageId: string | null
}

/**
 * Starts a bot in a conversation that has no active one: greets, and goes on until it waits for the customer. `first`: its
 * first turn, where that is not the script's. The conversation is as it was read, else the commit is lost.
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
    step: null,
    tries: 0,
    answers: {},
    takenUpTo: messageId ?? id,
    startedAt: now,
    expiresAt: now + bot.script.timeOutMs,
    endedAt: null,
    version: 1
  }
  return recordFirstTurn(world, session, first ?? begin(bot.script, fillOf(world)), now, ids)
}
