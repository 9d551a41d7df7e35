import { Either, Option } from "effect"
import { notify } from "../../kernel/notify.js"
import type { BotSession } from "../../model/BotSession.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import { expect, type Parts, type RowOf, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { expectAssignees } from "../../resources/agents/assignees.js"
import { assignedEvent } from "../../resources/conversations/assignedEvent.js"
import { emit, type NewEvent } from "../../resources/events/Outbox.js"
import { type BotWorld, serviceWindowOf } from "./BotWorld.js"
import { botEvent } from "./botEvent.js"
import { timeOutJob } from "./botJobs.js"
import type { Ending, Turn } from "./dialogue.js"
import { handOffAssignees, hasMissingAssignee } from "./handOff.js"
import { queueBotMessages } from "./queueBotMessages.js"
import { ended, recordSession } from "./recordSession.js"

/** The session after a turn, and the changes. */
export interface Recorded {
  readonly session: BotSession
  readonly parts: ReadonlyArray<Parts>
}

/**
 * Records a turn: its messages, the state of the session, and its end. If a message may not be sent, the session fails,
 * except that a hand-off or a time-out takes place anyway. `before`: the session before the turn.
 */
export const recordTurn = (world: BotWorld, before: BotSession, turn: Turn, now: Instant, ids: Ids): Recorded =>
  record(world, { before, turn, written: (session) => recordSession(before, session) }, now, ids)

/** Records the first turn. Emits `bot.started`, also if the session ends with this turn, before its other events. */
export const recordFirstTurn = (world: BotWorld, begun: BotSession, turn: Turn, now: Instant, ids: Ids): Recorded => {
  const eventId = ids.next(now)
  const written: Written = (session, conversationAfter) => {
    const started = botEvent("bot.started", session, conversationAfter, serviceWindowOf(world))
    const timeOuts = session.status === "active" ? [timeOutJob(session)] : []
    return [
      { inserts: [row("botSessions", session), ...timeOuts, ...emit(world.subscribers, started, now, ids, eventId)] }
    ]
  }
  return record(world, { before: begun, turn, written }, now, ids)
}

/** The changes that write a session after a turn. */
type Written = (session: BotSession, conversationAfter: Conversation) => ReadonlyArray<Parts>

const record = (
  world: BotWorld,
  { before, turn, written }: { readonly before: BotSession; readonly turn: Turn; readonly written: Written },
  now: Instant,
  ids: Ids
): Recorded => {
  const queued = queueBotMessages(world, before, turn.messages, now, ids)
  const unsendable = Option.getOrNull(Either.getLeft(queued))
  const ending: Ending | null =
    unsendable === null || survives(turn.ending) ? turn.ending : { type: "failed", ...unsendable }
  const { answers, step, tries } = turn
  const waiting: BotSession = {
    ...before,
    answers,
    step,
    tries,
    contactId: world.contact.id,
    expiresAt: now + before.script.timeOutMs
  }
  const reason = reasonOf(ending, world) ?? unsendable?.reason ?? null
  const session = ending === null ? waiting : ended({ ...waiting, expiresAt: before.expiresAt }, ending, reason, now)
  const queuedMessages = Either.getOrElse(queued, () => ({ conversation: world.conversation, parts: [] }))
  return {
    session,
    parts: [
      ...queuedMessages.parts,
      ...written(session, queuedMessages.conversation),
      ...moveConversation(world, { session, ending, conversationAfter: queuedMessages.conversation }, now, ids)
    ]
  }
}

const survives = (ending: Ending | null): boolean => ending?.type === "handed_off" || ending?.type === "timed_out"

/** Why it failed or was not handed off by its script alone; null otherwise. */
const reasonOf = (ending: Ending | null, world: BotWorld): string | null => {
  if (ending?.type !== "handed_off") return ending?.type === "failed" ? ending.reason : null
  const missing = hasMissingAssignee(ending, world) ? "The agent or team of the hand-off no longer exists." : null
  return ending.reason ?? missing
}

/** Changes assignee and active session of the conversation, with the events. */
const moveConversation = (
  world: BotWorld,
  {
    conversationAfter,
    ending,
    session
  }: { readonly session: BotSession; readonly conversationAfter: Conversation; readonly ending: Ending | null },
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => {
  const { id, version } = world.conversation
  const botSessionId = session.status === "active" ? session.id : null
  const assignees = ending?.type === "handed_off" ? handOffAssignees(ending, world) : {}
  const values = { ...(botSessionId === world.conversation.botSessionId ? {} : { botSessionId }), ...assignees }
  const conversation: Conversation = { ...conversationAfter, ...values }
  const window = serviceWindowOf(world)
  const newEvents: ReadonlyArray<NewEvent> = [
    ...(Object.keys(assignees).length === 0 ? [] : [assignedEvent(conversationAfter, conversation, window)]),
    ...(ending === null ? [] : [botEvent(endOf(ending), session, conversation, window)])
  ]
  return [
    expectAssignees(assignees),
    ending === null && Object.keys(values).length === 0
      ? { expects: [expect("conversations", { id }, { botSessionId })] }
      : // The events show status and assignee.
        { expects: [expect("conversations", { id }, { version })], sets: [set("conversations", { id }, values)] },
    {
      inserts: [
        ...newEvents.flatMap((event) => emit(world.subscribers, event, now, ids)),
        ...(ending === null ? [] : dialogueEndNotification(session, ending, world, now, ids))
      ]
    }
  ]
}

const endOf = ({ type }: Ending) => (type === "handed_off" ? "bot.handoff" : "bot.completed")

/** A notification about the end of a session, if administrators can act on it. */
const dialogueEndNotification = (
  session: BotSession,
  ending: Ending,
  world: BotWorld,
  now: Instant,
  ids: Ids
): ReadonlyArray<RowOf<"notifications" | "jobs">> => {
  if (ending.type !== "failed" && ending.type !== "handed_off") return []
  const reason = reasonOf(ending, world)
  if (reason === null || !ending.notifies) return []
  const { botId: subjectId, botName, conversationId, workspaceId } = session
  const did = ending.type === "failed" ? "failed in" : "handed off"
  const message = `The bot "${botName}" ${did} conversation ${conversationId}. ${reason}`
  return notify({ workspaceId, applicationId: null, kind: `bot.${ending.type}`, subjectId, message }, now, ids)
}
