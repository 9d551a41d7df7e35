import { Data, Effect } from "effect"
import type { Conversation } from "../../model/Conversation.js"
import type { Job } from "../../model/Job.js"
import { isWritten, type Message } from "../../model/Message.js"
import type { BotTurn } from "../../ports/BotResponder.js"
import type { Parts } from "../../ports/Changes.js"
import type { ChannelProviders } from "../../ports/ChannelProvider.js"
import { lookup, lookupById, type ReadError, type Storage } from "../../ports/Storage.js"
import type { BotMessageWorld } from "./answerCustomer.js"
import { botMessageJobId } from "./botJobs.js"
import { loadBotWorld } from "./loadBotWorld.js"
import { startedBot } from "./startedBot.js"

/** The result of loading a bot message job. */
export type BotMessageLookup = Data.TaggedEnum<{
  /** A bot answers it. */
  Ready: { readonly world: BotMessageWorld }
  /** No bot answers it. */
  Unwanted: { readonly message: Message; readonly conversation: Conversation }
  /** The message was answered already. */
  Taken: Record<never, never>
  /** The message was erased. */
  Gone: Record<never, never>
  /** The contact is being merged or erased; try again later. */
  Held: Record<never, never>
}>
export const BotMessageLookup = Data.taggedEnum<BotMessageLookup>()

/** How many earlier messages are read: to find unanswered ones, and as context for a responder. */
const maxLookback = 20

/** Takes a bot turn token. Null if granted, else the notification. */
export type TakeBotTurn = (turn: {
  readonly conversation: Conversation
  readonly botId: string
}) => Effect.Effect<Parts | null, ReadError>

type Reading = Pick<Storage, "read" | "list">

/** Finds the first unanswered message of the conversation up to the job's own, and loads the world of its answer. */
export const findBotMessage = (
  storage: Reading,
  providers: ChannelProviders,
  takeTurn: TakeBotTurn,
  { id, payload, reference, workspaceId }: Job
): Effect.Effect<BotMessageLookup, ReadError> =>
  Effect.gen(function* () {
    const messageId = String(payload?.messageId)
    const [{ bots, conversations, jobs, messages, workspaces }, earlier] = yield* Effect.all(
      [
        storage.read({
          jobs: lookup("jobs", { id }),
          messages: lookup("messages", { id: messageId }),
          conversations: lookup("conversations", { id: reference }),
          workspaces: lookup("workspaces", { id: workspaceId }),
          bots: lookup("bots", { workspaceId, status: "active" })
        }),
        messagesBefore(storage, reference, messageId)
      ],
      { concurrency: "unbounded" }
    )
    const [own] = messages
    const [conversation] = conversations
    const [workspace] = workspaces
    if (jobs.length === 0) return BotMessageLookup.Taken()
    if (own === undefined || conversation === undefined || workspace === undefined) return BotMessageLookup.Gone()
    const [message = own] = yield* untakenMessages(storage, earlier)

    const { botSessions } = yield* storage.read({ botSessions: lookupById("botSessions", conversation.botSessionId) })
    const session = botSessions.find(({ status }) => status === "active")
    const before = earlier.filter(({ id }) => id < message.id)
    const bot = startedBot(bots, message, isFirstInbound(conversation, message, before))
    const whose = session !== undefined ? { session } : bot === undefined ? null : { bot }
    if (whose === null) return BotMessageLookup.Unwanted({ message, conversation })

    const { script } = "session" in whose ? whose.session : whose.bot
    const world = yield* loadBotWorld(storage, providers, conversation, script, session?.workflowRunId ?? null)
    if (world === undefined) return BotMessageLookup.Held()
    const botId = "session" in whose ? whose.session.botId : whose.bot.id
    // An earlier message takes its token in its own job.
    const refused = message.id === own.id ? yield* takeTurn({ conversation, botId }) : null
    const question: BotTurn | null =
      script.steps.length > 0 || refused !== null
        ? null
        : {
            bot:
              "session" in whose
                ? { id: whose.session.botId, name: whose.session.botName }
                : { id: whose.bot.id, name: whose.bot.name },
            answers: session?.answers ?? {},
            conversation,
            contact: world.contact,
            earlier: [...before].reverse(),
            message
          }
    return BotMessageLookup.Ready({ world: { ...world, workspace, message, before, whose, question, refused } })
  })

/**
 * Whether the customer wrote nothing before that a bot could read. A link may have opened the chat, and the business
 * may have written: not more than {@link maxLookback} messages in all.
 */
const isFirstInbound = (conversation: Conversation, message: Message, before: ReadonlyArray<Message>): boolean =>
  // A commit creates a conversation with its first message, at one time.
  conversation.createdAt === message.createdAt || (before.length < maxLookback && !before.some(isWritten))

/** The last messages of a conversation before this one, newest first; null: before none. */
export const messagesBefore = (
  storage: Pick<Storage, "list">,
  conversationId: Conversation["id"],
  messageId: string | null
): Effect.Effect<ReadonlyArray<Message>, ReadError> =>
  storage.list({ from: "messages", where: { conversationId }, after: messageId, limit: maxLookback })

/**
 * The customer's messages with a pending bot job, oldest first. Without those of parked jobs, which wait for an
 * administrator: they delay no other message, and no time-out.
 */
export const untakenMessages = (
  storage: Pick<Storage, "read">,
  newestFirst: ReadonlyArray<Message>
): Effect.Effect<ReadonlyArray<Message>, ReadError> =>
  Effect.map(
    storage.read(
      Object.fromEntries(
        newestFirst
          .filter(({ direction }) => direction === "inbound")
          .map(({ id }) => [id, lookup("jobs", { id: botMessageJobId(id) })] as const)
      )
    ),
    (jobs) => newestFirst.filter(({ id }) => (jobs[id] ?? []).some(({ lane }) => lane !== "parked")).reverse()
  )
