import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { Bot } from "../../model/Bot.js"
import type { BotSession } from "../../model/BotSession.js"
import { type Instant, minute, second } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { Message } from "../../model/Message.js"
import { suspendedRetryMs, type Workspace } from "../../model/Workspace.js"
import type { BotTurn } from "../../ports/BotResponder.js"
import { changes, type Parts } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { backoff } from "../../queue/backoff.js"
import { type ResponderResult, turnOfAnswer } from "./askResponder.js"
import { type BotWorld, fillOf } from "./BotWorld.js"
import { messageTaken, postponeBotJob } from "./botJobs.js"
import { asksNow, continueDialogue, greet, repeatDialogue, type Turn } from "./dialogue.js"
import { recordTurn } from "./recordTurn.js"
import { startBot } from "./startBot.js"

/** What the rules of a bot's answer read. */
export interface BotMessageWorld extends BotWorld {
  readonly workspace: Workspace
  /** The message to answer: the first unanswered one of the conversation. */
  readonly message: Message
  /** The last messages before it, at most 20, newest first. */
  readonly before: ReadonlyArray<Message>
  /** The active session, else the bot that the message starts. */
  readonly whose: { readonly session: BotSession } | { readonly bot: Bot }
  /** The request to the responder; null if the script answers or the bot may not answer. */
  readonly question: BotTurn | null
  /** If the limit of bot turns is reached: the notification about it. Null if the bot may answer. */
  readonly refused: Parts | null
}

/** A responder's result and what it was asked. */
export interface Response {
  readonly question: BotTurn
  readonly result: ResponderResult
}

/**
 * `taken`: a message was answered, continue with the next one. `rests`: nothing to do now. A question: ask the
 * responder and decide again with its response.
 */
export type BotMessageResult = "taken" | "rests" | BotTurn

/** How long after the message the responder is retried before the bot hands off, in ms. */
export const responderTimeout: number = 10 * minute

/** Delay before the responder is called again. */
const pause = backoff(second, minute)

/**
 * Answers a customer's message: as the answer to the active bot's question, or by starting a bot. A message is no
 * answer to a question that was asked after a later message was answered.
 */
export const answerCustomer = (
  world: BotMessageWorld,
  response: Response | null,
  job: Job,
  now: Instant,
  ids: Ids
): Either.Either<Decision<BotMessageResult>, Refusal> => {
  const { message, question, refused, whose, workspace } = world
  if (workspace.status !== "active") return Either.right(postponeBotJob(job, now + suspendedRetryMs))
  if (question !== null && !isResponseTo(response, question)) return Either.right({ changes: null, result: question })
  const responded = question === null || response === null ? null : response.result
  if (responded?._tag === "Unavailable" && now < message.createdAt + responderTimeout) {
    return Either.right(postponeBotJob(job, now + pause(job.attempts)))
  }
  if (refused !== null) return Either.right(messageDone(message, refused, ...handOffLimited(world, now, ids)))
  const parts =
    "session" in whose
      ? continueSession(world, whose.session, responded, now, ids)
      : startSession(world, whose.bot, responded, now, ids)
  return Either.right(messageDone(message, ...parts))
}

/** Another worker may have answered the message, or ended the session, while the responder was asked. */
const isResponseTo = (response: Response | null, { bot, message }: BotTurn): boolean =>
  response?.question.message.id === message.id && response.question.bot.id === bot.id

/** The decision that marks the message as answered and writes the given parts. */
export const messageDone = (
  { id, workspaceId }: Pick<Message, "id" | "workspaceId">,
  ...parts: ReadonlyArray<Parts>
): Decision<BotMessageResult> => ({ changes: changes(workspaceId, messageTaken(id), ...parts), result: "taken" })

/**
 * At the limit of turns: hands an active session off without a text, which another bot could answer; starts no session.
 */
const handOffLimited = (world: BotMessageWorld, now: Instant, ids: Ids): ReadonlyArray<Parts> => {
  if (!("session" in world.whose)) return []
  const { session } = world.whose
  return recordTurn(world, session, handOffTurn(session.answers, tooManyTurns, false), now, ids).parts
}

/** The notification about it is `refused`, once an hour. */
const tooManyTurns = "The limit of bot turns in the conversation was reached."

const continueSession = (
  world: BotMessageWorld,
  session: BotSession,
  responded: ResponderResult | null,
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => {
  const { message } = world
  if (isBefore(message, session) || isOfAnsweredAlbum(world, session)) return []
  const turn =
    responded !== null
      ? responseTurn(responded, session.answers)
      : isLatePress(world, session)
        ? repeatDialogue(session, fillOf(world))
        : continueDialogue(session, message, fillOf(world))
  const isNewest = message.id > session.takenUpTo
  return recordTurn(world, isNewest ? { ...session, takenUpTo: message.id } : session, turn, now, ids).parts
}

/** Whether the current question has been answered or repeated for another message of the same album. */
const isOfAnsweredAlbum = ({ before, message }: BotMessageWorld, { step, takenUpTo }: BotSession): boolean => {
  const groupId = message.envelope?.groupId ?? null
  return (
    step !== null &&
    groupId !== null &&
    before.some(
      ({ direction, envelope, id }) => direction === "inbound" && envelope?.groupId === groupId && id <= takenUpTo
    )
  )
}

/**
 * Whether the customer pressed an option of a question that is not the current one, or one of a question that they have
 * answered, although the current question may have the same options.
 */
const isLatePress = (world: BotMessageWorld, session: BotSession): boolean => {
  const { before, message } = world
  const { content, envelope } = message
  if (content?.type !== "choice") return false
  if (content.timing === "repeated") return true
  const quoted = before.find(({ id }) => id === envelope?.quoted?.messageId)
  // Of a question before the last messages, only the timing is known.
  if (quoted === undefined) return content.timing === "late"
  return quoted.content?.type === "choices" && !asksNow(session, quoted, before, fillOf(world))
}

const startSession = (
  world: BotMessageWorld,
  bot: Bot,
  responded: ResponderResult | null,
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => {
  const { message } = world
  const origin = { applicationId: null, workflowRunId: null, messageId: message.id }
  const first = responded === null ? undefined : withGreeting(responseTurn(responded, {}), bot, world)
  return startBot(world, bot, origin, now, ids, first).parts
}

/**
 * Whether the message was written before the current question, or before the session if a responder answers. A message
 * of a concurrent commit may have a lower id than an answered one, so the time decides too.
 */
const isBefore = (
  { createdAt, id }: Message,
  { expiresAt, script, startedAt, step, takenUpTo }: BotSession
): boolean => {
  // Each turn sets the time-out.
  const askedAt = step === null ? startedAt : expiresAt - script.timeOutMs
  return id <= takenUpTo && createdAt < askedAt
}

const responseTurn = (responded: ResponderResult, answers: BotSession["answers"]): Turn =>
  responded._tag === "Answered"
    ? turnOfAnswer(responded.answer, answers)
    : handOffTurn(answers, handOffReason(responded))

const handOffReason = (responded: Exclude<ResponderResult, { readonly _tag: "Answered" }>): string =>
  responded._tag === "Absent"
    ? "It has no steps, and this host has no responder to answer."
    : `Its responder did not answer for ten minutes: ${responded.reason}.`

const handOffTurn = (answers: BotSession["answers"], reason: string, notifies = true): Turn => ({
  messages: [],
  answers,
  step: null,
  tries: 0,
  ending: { type: "handed_off", agentId: null, teamId: null, reason, notifies }
})

const withGreeting = (turn: Turn, { script }: Bot, world: BotWorld): Turn => ({
  ...turn,
  messages: [...greet(script, fillOf(world)), ...turn.messages]
})
