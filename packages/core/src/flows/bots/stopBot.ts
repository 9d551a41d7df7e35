import type { BotSession } from "../../model/BotSession.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { expect, type Parts, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { lookup, lookupById, type ReadResult } from "../../ports/Storage.js"
import { emit, type Subscribers } from "../../resources/events/Outbox.js"
import { botEvent } from "./botEvent.js"
import { messagesTaken } from "./botJobs.js"
import { ended, recordSession } from "./recordSession.js"

/** The bot of a conversation, active or about to start. */
export interface BotOfConversation {
  /** The session of the conversation. */
  readonly session: BotSession | undefined
  /** The jobs of the conversation in the lane of bots, and its parked jobs. */
  readonly botJobs: ReadonlyArray<Job>
}

interface StopBotWorld extends BotOfConversation {
  /** Before the commit. */
  readonly conversation: Conversation
  readonly serviceWindowHours: number | null
  readonly subscribers: Subscribers
}

/** The lookups of {@link BotOfConversation}. */
export const botLookups = ({ botSessionId, id: subject }: Pick<Conversation, "botSessionId" | "id">) => ({
  botSessions: lookupById("botSessions", botSessionId),
  botJobs: lookup("jobs", { lane: "runs", subject }),
  parkedBotJobs: lookup("jobs", { lane: "parked", subject })
})

/** The result of {@link botLookups}. */
export const botOf = ({
  botJobs,
  botSessions,
  parkedBotJobs
}: ReadResult<ReturnType<typeof botLookups>>): BotOfConversation => ({
  session: botSessions[0],
  botJobs: [...botJobs, ...parkedBotJobs]
})

/**
 * Stops the active bot of a conversation, in the commit by which a person takes over
 * (docs/reference/automations.md#who-stops-a-bot). Unanswered messages start no bot later. Without an active
 * bot, conflicts with a concurrent start. `taken`: the conversation after the commit.
 */
export const stopBot = (
  { botJobs, conversation: before, serviceWindowHours, session, subscribers }: StopBotWorld,
  taken: Conversation,
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => {
  const { botSessionId, id } = taken
  const answered = messagesTaken(botJobs)
  const cleared: Parts = { sets: [set("conversations", { id }, { botSessionId: null })] }
  if (session === undefined || session.status !== "active") {
    // Erasures of earlier versions left the id of a deleted session, with which no workflow can start a bot.
    const present: Parts = { expects: [expect("conversations", { id }, { botSessionId })] }
    return [present, ...(botSessionId === null ? [] : [cleared]), ...answered]
  }
  const stopped = ended(session, { type: "stopped" }, null, now)
  const conversation = { ...taken, botSessionId: null }
  const event = botEvent("bot.completed", stopped, conversation, serviceWindowHours)
  return [
    // The event shows status and assignee.
    { expects: [expect("conversations", { id }, { version: before.version })] },
    ...answered,
    ...recordSession(session, stopped),
    cleared,
    { inserts: [...emit(subscribers, event, now, ids)] }
  ]
}
