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
 * dialogue fails; but one that hands off does so in any case, and one that times out has.
 */
export const recordTurn = (
  world: BotWorld,
  /** As it was before the turn; one that begins has no row yet. */
  before: BotSession,
  begins: boolean,
  turn: Turn,
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
      ...(begins ? [begun(session, said.conversation, world, now, ids)] : recordSession(before, session)),
      ...moveConversation(world, session, said.conversation, ending, now, ids)
    ]
  }
}

const survives = (ending: Ending | null): boolean => ending?.type === "handed_off" || ending?.type === "timed_out"

/** A dialogue that is over with its first turn has begun all the same. */
const begun = (session: BotSession, conversation: Conversation, world: BotWorld, now: Instant, ids: Ids): Parts => ({
  inserts: [
    row("botSessions", session),
    ...(session.status === "active" ? [timeOutJob(session)] : []),
    ...emit(world.subscribers, botEvent("bot.started", session, conversation, serviceWindowOf(world)), now, ids)
  ]
})

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
