import { Either } from "effect"
import { assigneesStay } from "../agents/assignees.js"
import { assignedEvent } from "../conversations/assignedEvent.js"
import type { Conversation } from "../conversations/Conversation.js"
import { emit, type NewEvent } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { expect, type Parts, row, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { BotSession } from "./BotSession.js"
import { type BotWorld, serviceWindowOf } from "./BotWorld.js"
import { botEvent } from "./botEvent.js"
import { timeOutJob } from "./botJobs.js"
import { botTrouble } from "./botTrouble.js"
import type { Ending, Turn } from "./dialogue.js"
import { takersOf } from "./handOff.js"
import { ended, recordSession } from "./recordSession.js"
import { speak } from "./speak.js"

/** A dialogue after a turn, and what makes it so. */
export interface Recorded {
  readonly session: BotSession
  readonly parts: ReadonlyArray<Parts>
}

/**
 * Writes down a bot's turn: what it says, where the dialogue stands, and how it ended. Where something may not be said, the
 * dialogue fails; but one that hands off does so in any case, and one that times out has. `before`: as it was before the turn.
 */
export const recordTurn = (world: BotWorld, before: BotSession, turn: Turn, now: Instant, ids: Ids): Recorded =>
  record(world, before, turn, (session) => recordSession(before, session), now, ids)

/** The same for the turn with which a dialogue begins. One that is over with it has begun all the same. */
export const recordFirstTurn = (world: BotWorld, begun: BotSession, turn: Turn, now: Instant, ids: Ids): Recorded => {
  const written = (session: BotSession, said: Conversation) => ({
    inserts: [
      row("botSessions", session),
      ...(session.status === "active" ? [timeOutJob(session)] : []),
      ...emit(world.subscribers, botEvent("bot.started", session, said, serviceWindowOf(world)), now, ids)
    ]
  })
  return record(world, begun, turn, (session, said) => [written(session, said)], now, ids)
}

const record = (
  world: BotWorld,
  before: BotSession,
  turn: Turn,
  written: (session: BotSession, said: Conversation) => ReadonlyArray<Parts>,
  now: Instant,
  ids: Ids
): Recorded => {
  const spoken = speak(world, before, turn.says, now, ids)
  const ending = Either.match(spoken, {
    onLeft: ({ reason }) => (survives(turn.ending) ? turn.ending : ({ type: "failed", reason } as const)),
    onRight: () => turn.ending
  })
  const { answers, step, tries } = turn
  const waiting: BotSession = {
    ...before,
    answers,
    step,
    tries,
    contactId: world.contact.id,
    expiresAt: now + before.script.timeOutMs
  }
  const session = ending === null ? waiting : ended({ ...waiting, expiresAt: before.expiresAt }, ending, now)
  const said = Either.getOrElse(spoken, () => ({ conversation: world.conversation, parts: [] }))
  return {
    session,
    parts: [
      ...said.parts,
      ...written(session, said.conversation),
      ...moveConversation(world, session, said.conversation, ending, now, ids)
    ]
  }
}

const survives = (ending: Ending | null): boolean => ending?.type === "handed_off" || ending?.type === "timed_out"

/** Whose the conversation is now, and what is told of that. */
const moveConversation = (
  world: BotWorld,
  session: BotSession,
  said: Conversation,
  ending: Ending | null,
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => {
  const { id, version } = world.conversation
  const botSessionId = session.status === "active" ? session.id : null
  const takers = ending?.type === "handed_off" ? takersOf(ending, world) : {}
  const values = { ...(botSessionId === world.conversation.botSessionId ? {} : { botSessionId }), ...takers }
  const conversation: Conversation = { ...said, ...values }
  const window = serviceWindowOf(world)
  const told: ReadonlyArray<NewEvent> = [
    ...(Object.keys(takers).length === 0 ? [] : [assignedEvent(said, conversation, window)]),
    ...(ending === null ? [] : [botEvent(endOf(ending), session, conversation, window)])
  ]
  return [
    assigneesStay(takers),
    Object.keys(values).length === 0
      ? // Nobody took it from the bot.
        { expects: [expect("conversations", { id }, { botSessionId })] }
      : { expects: [expect("conversations", { id }, { version })], sets: [set("conversations", { id }, values)] },
    {
      inserts: [
        ...told.flatMap((event) => emit(world.subscribers, event, now, ids)),
        ...(ending === null ? [] : botTrouble(session, ending, world, now, ids))
      ]
    }
  ]
}

const endOf = ({ type }: Ending) => (type === "handed_off" ? "bot.handoff" : "bot.completed")
