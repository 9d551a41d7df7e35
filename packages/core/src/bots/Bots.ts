import { Context, Effect, Either, Layer } from "effect"
import { whileMerged } from "../contacts/contactJob.js"
import type { Conversation } from "../conversations/Conversation.js"
import { Decider, type Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import { BotResponder } from "../ports/BotResponder.js"
import { expect, type Parts } from "../ports/Changes.js"
import { ChannelProviders } from "../ports/ChannelProvider.js"
import { type CommitError, lookup, type ReadError, Storage } from "../ports/Storage.js"
import type { Job } from "../worker/Job.js"
import { putOff } from "./botJobs.js"
import { type Conversed, converse, takes } from "./converse.js"
import { drawTurn } from "./drawTurn.js"
import { type Draw, findMessage, messagesBefore, untaken } from "./findMessage.js"
import { loadBotWorld } from "./loadBotWorld.js"
import { type TimeOutWorld, timeOut } from "./timeOut.js"

/** Has bots talk with customers: two tasks of the lane `runs`. */
export interface Bots {
  /**
   * The task `converse`: takes a customer's message, after those of the conversation that came before it. Each message is taken
   * once, whoever does it and however often they try.
   */
  readonly converse: (job: Job) => Effect.Effect<void, Refusal | CommitError>
  /** The task `time_out_bot`: ends a dialogue that nobody answered for as long as its script allows. */
  readonly timeOut: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const Bots = Context.GenericTag<Bots>("@parley/core/Bots")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const responder = yield* Effect.serviceOption(BotResponder)
  const { decideAndCommit } = yield* Decider

  /** A job counts its message once, however often its commit is lost to others of the conversation. */
  const drawOnce: Effect.Effect<Draw> = Effect.cachedFunction(
    ({ botId, conversation }: Parameters<Draw>[0]) => drawTurn(storage, conversation, botId),
    () => true
  )

  const converseUpTo = (job: Job, draw: Draw): Effect.Effect<void, Refusal | CommitError> =>
    Effect.gen(function* () {
      const conversed = yield* decideAndCommit(
        findMessage(storage, providers, responder, draw, job),
        (found, now, ids) => {
          switch (found._tag) {
            case "Ready":
              return converse(found.world, job, now, ids)
            case "Unwanted":
              return Either.right(takes(found.message, noBotSince(found.conversation)))
            case "Held":
              return Either.right(putOff(job, now + whileMerged))
            case "Gone":
              return Either.right(putOff(job, null))
            case "Taken":
              return Either.right<Decision<Conversed>>({ changes: null, result: "rests" })
          }
        }
      )
      // The one that was taken may have come before the job's own.
      if (conversed === "taken") yield* converseUpTo(job, draw)
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
        untaken(storage, messages)
      )
      return { ...world, workspace, session, isAnswered: waiting.length > 0 }
    })

  return Bots.of({
    converse: (job) =>
      Effect.annotateLogs(
        Effect.flatMap(drawOnce, (draw) => converseUpTo(job, draw)),
        "conversation_id",
        job.reference
      ),
    timeOut: (job) =>
      decideAndCommit(loadTimeOut(job), (world, now, ids) => {
        if (world === "gone") return Either.right<Decision<unknown>>(putOff(job, null))
        return Either.right(world === "held" ? putOff(job, now + whileMerged) : timeOut(world, job, now, ids))
      }).pipe(Effect.asVoid, Effect.annotateLogs("conversation_id", job.reference))
  })
})

/** That no bot has begun since it was read, which would want what is written to it. */
const noBotSince = ({ botSessionId, id }: Conversation): Parts => ({
  expects: [expect("conversations", { id }, { botSessionId })]
})

export const layer: Layer.Layer<Bots, never, Storage | ChannelProviders | Decider> = Layer.effect(Bots, make)
