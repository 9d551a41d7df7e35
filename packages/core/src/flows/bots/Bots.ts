import { Context, Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider, type Decision } from "../../kernel/Decider.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Job } from "../../model/Job.js"
import { BotResponder } from "../../ports/BotResponder.js"
import { expect, type Parts } from "../../ports/Changes.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { HttpSender } from "../../ports/HttpSender.js"
import { type CommitError, lookup, type ReadError, Storage } from "../../ports/Storage.js"
import { mergeRetryMs } from "../../resources/contacts/contactJob.js"
import { urlProblemOf } from "../../resources/messages/urlProblemOf.js"
import { answerCustomer, type BotMessageResult, messageDone, type Response } from "./answerCustomer.js"
import { askResponder } from "./askResponder.js"
import { postponeBotJob } from "./botJobs.js"
import { findBotMessage, messagesBefore, type TakeBotTurn, untakenMessages } from "./findBotMessage.js"
import { loadBotWorld } from "./loadBotWorld.js"
import { takeBotTurnToken } from "./takeBotTurnToken.js"
import { type TimeOutWorld, timeOut } from "./timeOut.js"

/** Runs bots: handlers of two tasks of the lane `runs`. */
export interface Bots {
  /**
   * The task `converse`: answers a customer's message, after earlier ones of the conversation. Each message is answered
   * exactly once, also with concurrent workers and retries.
   */
  readonly answer: (job: Job) => Effect.Effect<void, Refusal | CommitError>
  /** The task `time_out_bot`: ends a session whose question was not answered within the script's time limit. */
  readonly timeOut: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const Bots = Context.GenericTag<Bots>("@parley/core/Bots")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const responder = yield* Effect.serviceOption(BotResponder)
  const urlProblem = urlProblemOf(yield* HttpSender)
  const { decideAndCommit } = yield* Decider

  /** Takes one token per job, also when the commit conflicts and is repeated. */
  const takeTurnOnce: Effect.Effect<TakeBotTurn> = Effect.cachedFunction(
    ({ botId, conversation }: Parameters<TakeBotTurn>[0]) => takeBotTurnToken(storage, conversation, botId),
    () => true
  )

  const answerMessagesUpTo = (
    job: Job,
    takeTurn: TakeBotTurn,
    response: Response | null
  ): Effect.Effect<void, Refusal | CommitError> =>
    Effect.gen(function* () {
      const result = yield* decideAndCommit(findBotMessage(storage, providers, takeTurn, job), (found, now, ids) => {
        switch (found._tag) {
          case "Ready":
            return answerCustomer({ ...found.world, urlProblem }, response, job, now, ids)
          case "Unwanted":
            return Either.right(messageDone(found.message, noBotSince(found.conversation)))
          case "Held":
            return Either.right(postponeBotJob(job, now + mergeRetryMs))
          case "Gone":
            return Either.right(postponeBotJob(job, null))
          case "Taken":
            return Either.right<Decision<BotMessageResult>>({ changes: null, result: "rests" })
        }
      })
      if (result === "rests") return
      // The answered message may be an earlier one than the job's own.
      if (result === "taken") return yield* answerMessagesUpTo(job, takeTurn, null)
      const answered = yield* askResponder(responder, result)
      yield* answerMessagesUpTo(job, takeTurn, { question: result, result: answered })
    })

  const loadTimeOut = (job: Job): Effect.Effect<TimeOutWorld | "held" | "gone", ReadError> =>
    Effect.gen(function* () {
      const { botSessions, conversations, workspaces } = yield* storage.read({
        botSessions: lookup("botSessions", { id: String(job.payload?.sessionId) }),
        conversations: lookup("conversations", { id: job.reference }),
        workspaces: lookup("workspaces", { id: job.workspaceId })
      })
      const [session] = botSessions
      const [conversation] = conversations
      const [workspace] = workspaces
      if (session?.status !== "active" || conversation === undefined || workspace === undefined) return "gone"
      const world = yield* loadBotWorld(storage, providers, conversation, session.script, session.workflowRunId)
      if (world === undefined) return "held"
      const waiting = yield* Effect.flatMap(messagesBefore(storage, conversation.id, null), (messages) =>
        untakenMessages(storage, messages)
      )
      return { ...world, workspace, session, isAnswered: waiting.length > 0 }
    })

  return Bots.of({
    answer: (job) =>
      Effect.annotateLogs(
        Effect.flatMap(takeTurnOnce, (takeTurn) => answerMessagesUpTo(job, takeTurn, null)),
        "conversation_id",
        job.reference
      ),
    timeOut: (job) =>
      decideAndCommit(loadTimeOut(job), (world, now, ids) => {
        if (world === "gone") return Either.right<Decision<unknown>>(postponeBotJob(job, null))
        return Either.right(world === "held" ? postponeBotJob(job, now + mergeRetryMs) : timeOut(world, job, now, ids))
      }).pipe(Effect.asVoid, Effect.annotateLogs("conversation_id", job.reference))
  })
})

/** Expects that no bot has started since the read; it would have to answer the message. */
const noBotSince = ({ botSessionId, id }: Conversation): Parts => ({
  expects: [expect("conversations", { id }, { botSessionId })]
})
