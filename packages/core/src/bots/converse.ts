import { Either } from "effect"
import { type Workspace, whileSuspended } from "../access/Workspace.js"
import type { Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import { type Instant, minute, second } from "../Instant.js"
import type { Message } from "../messages/Message.js"
import { changes, type Parts } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { backoff } from "../worker/backoff.js"
import type { Job } from "../worker/Job.js"
import { type Responded, turnOf } from "./askResponder.js"
import type { Bot } from "./Bot.js"
import type { BotSession } from "./BotSession.js"
import { type BotWorld, fillOf } from "./BotWorld.js"
import { putOff, taken } from "./botJobs.js"
import { goOn, greet, type Turn } from "./dialogue.js"
import { recordTurn } from "./recordTurn.js"
import { startBot } from "./startBot.js"

/** All that the taking of a customer's message may look at. */
export interface ConverseWorld extends BotWorld {
  readonly workspace: Workspace
  /** The message to take: the first of the conversation that nobody has taken yet. */
  readonly message: Message
  /** Whose message it is: the dialogue's that is active, or where none is, the bot's that it starts. */
  readonly whose: { readonly session: BotSession } | { readonly bot: Bot }
  /** What the responder makes of the message; null where the script answers. */
  readonly responded: Responded | null
  /** Where bots took too many messages of the conversation, what tells of it; null where it may be taken. */
  readonly refused: Parts | null
}

/** Whether a message was taken, so that the next one has its turn; else there is nothing to do for now. */
export type Conversed = "taken" | "rests"

/** How long the responder is asked, from the message on, before a person takes over. */
export const responderPatience: number = 10 * minute

/** Before it is asked again. */
const pause = backoff(second, minute)

/**
 * Takes a customer's message: as the answer that the active bot waits for, or as what starts one. A message that was written
 * before the dialogue began is none of its answers.
 */
export const converse = (
  world: ConverseWorld,
  job: Job,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Conversed>, Refusal> => {
  const { message, refused, responded, whose, workspace } = world
  if (workspace.status !== "active") return Either.right(putOff(job, now + whileSuspended))
  if (responded?._tag === "Unavailable" && now < message.createdAt + responderPatience) {
    return Either.right(putOff(job, now + pause(job.attempts)))
  }
  if (refused !== null) return Either.right(takes(message, refused, ...givesUp(world, now, ids)))
  const parts = "session" in whose ? goesOn(world, whose.session, now, ids) : starts(world, whose.bot, now, ids)
  return Either.right(takes(message, ...parts))
}

/** The message is done with, by whatever these make of it. */
export const takes = (
  { id, workspaceId }: Pick<Message, "id" | "workspaceId">,
  ...parts: ReadonlyArray<Parts>
): Decision<Conversed> => ({ changes: changes(workspaceId, taken(id), ...parts), result: "taken" })

/** An active dialogue is handed to people, without a word that another bot would answer; none begins. */
const givesUp = (world: ConverseWorld, now: Instant, ids: Ids): ReadonlyArray<Parts> => {
  if (!("session" in world.whose)) return []
  const { session } = world.whose
  return recordTurn(world, session, handsOff(session.answers, null), now, ids).parts
}

const goesOn = (world: ConverseWorld, session: BotSession, now: Instant, ids: Ids): ReadonlyArray<Parts> => {
  const { message, responded } = world
  if (isBefore(message, session)) return []
  const turn =
    responded === null ? goOn(session, message.body, fillOf(world)) : responseTurn(responded, session.answers)
  const isNewest = message.id > session.takenUpTo
  return recordTurn(world, isNewest ? { ...session, takenUpTo: message.id } : session, turn, now, ids).parts
}

const starts = (world: ConverseWorld, bot: Bot, now: Instant, ids: Ids): ReadonlyArray<Parts> => {
  const { message, responded } = world
  const origin = { applicationId: null, workflowRunId: null, messageId: message.id }
  const first = responded === null ? undefined : greeted(responseTurn(responded, {}), bot, world)
  return startBot(world, bot, origin, now, ids, first).parts
}

/** A message that came late behind younger ones has a lower id than they, but was not written before the dialogue began. */
const isBefore = ({ createdAt, id }: Message, { startedAt, takenUpTo }: BotSession): boolean =>
  id <= takenUpTo && createdAt < startedAt

const responseTurn = (responded: Responded, answers: BotSession["answers"]): Turn =>
  responded._tag === "Answered" ? turnOf(responded.answer, answers) : handsOff(answers, whyNot(responded))

const whyNot = (responded: Exclude<Responded, { readonly _tag: "Answered" }>): string =>
  responded._tag === "Absent"
    ? "It has no steps, and this host has no responder that could answer instead."
    : `Its responder gave no answer for ten minutes: ${responded.reason}.`

const handsOff = (answers: BotSession["answers"], reason: string | null): Turn => ({
  says: [],
  answers,
  step: null,
  tries: 0,
  ending: { type: "handed_off", agentId: null, teamId: null, reason }
})

const greeted = (turn: Turn, { script }: Bot, world: BotWorld): Turn => ({
  ...turn,
  says: [...greet(script, fillOf(world)), ...turn.says]
})
