import { Data, Effect, type Option } from "effect"
import type { Conversation } from "../conversations/Conversation.js"
import type { Message } from "../messages/Message.js"
import type { BotResponder } from "../ports/BotResponder.js"
import type { Parts } from "../ports/Changes.js"
import type { ChannelProviders } from "../ports/ChannelProvider.js"
import { lookup, lookupById, type ReadError, type Storage } from "../ports/Storage.js"
import type { Job } from "../worker/Job.js"
import { askResponder } from "./askResponder.js"
import { converseJobId } from "./botJobs.js"
import type { ConverseWorld } from "./converse.js"
import { loadBotWorld } from "./loadBotWorld.js"
import { startedBot } from "./startedBot.js"

/** What is found of a job that brings a customer's message to a bot. */
export type FoundMessage = Data.TaggedEnum<{
  /** A bot takes it. */
  Ready: { readonly world: ConverseWorld }
  /** No bot wants it. */
  Unwanted: { readonly message: Message; readonly conversation: Conversation }
  /** The job's own message is done with: somebody else was first. */
  Taken: Record<never, never>
  /** It was erased with its contact. */
  Gone: Record<never, never>
  /** Its contact is just being merged or erased. */
  Held: Record<never, never>
}>
export const FoundMessage = Data.taggedEnum<FoundMessage>()

/** How far back is looked for messages that nobody has taken yet, and how many a responder is told of. */
const lookedBack = 20

/** Whether a bot may take one more message of a conversation; else what tells of it. */
export type Draw = (turn: {
  readonly conversation: Conversation
  readonly botId: string
}) => Effect.Effect<Parts | null, ReadError>

type Reading = Pick<Storage, "read" | "list">

/**
 * Finds the first message of the conversation that nobody has taken yet, up to the job's own, with all that the taking may
 * look at. Where a responder answers, it is asked.
 */
export const findMessage = (
  storage: Reading,
  providers: ChannelProviders,
  responder: Option.Option<BotResponder>,
  draw: Draw,
  { id, payload, reference, workspaceId }: Job
): Effect.Effect<FoundMessage, ReadError> =>
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
    if (jobs.length === 0) return FoundMessage.Taken()
    if (own === undefined || conversation === undefined || workspace === undefined) return FoundMessage.Gone()
    const [message = own] = yield* untaken(storage, earlier)

    const { botSessions } = yield* storage.read({ botSessions: lookupById("botSessions", conversation.botSessionId) })
    const session = botSessions.find(({ status }) => status === "active")
    const bot = startedBot(bots, message, conversation)
    const whose = session !== undefined ? { session } : bot === undefined ? null : { bot }
    if (whose === null) return FoundMessage.Unwanted({ message, conversation })

    const { script } = "session" in whose ? whose.session : whose.bot
    const world = yield* loadBotWorld(storage, providers, conversation, script, session?.workflowRunId ?? null)
    if (world === undefined) return FoundMessage.Held()
    const botId = "session" in whose ? whose.session.botId : whose.bot.id
    // One that came before has a job that counts it, unless this one takes it away.
    const refused = message.id === own.id ? yield* draw({ conversation, botId }) : null
    const responded =
      script.steps.length > 0 || refused !== null
        ? null
        : yield* askResponder(responder, {
            bot:
              "session" in whose
                ? { id: whose.session.botId, name: whose.session.botName }
                : { id: whose.bot.id, name: whose.bot.name },
            answers: session?.answers ?? {},
            conversation,
            contact: world.contact,
            earlier: earlier.filter(({ id }) => id < message.id).reverse(),
            message
          })
    return FoundMessage.Ready({ world: { ...world, workspace, message, whose, responded, refused } })
  })

/** The last messages of a conversation before this one, newest first; null: the last ones. */
export const messagesBefore = (
  storage: Pick<Storage, "list">,
  conversationId: Conversation["id"],
  messageId: string | null
): Effect.Effect<ReadonlyArray<Message>, ReadError> =>
  storage.list({ from: "messages", where: { conversationId }, after: messageId, limit: lookedBack })

/** Those of a customer's messages that are for a bot and that nobody has taken yet, oldest first. */
export const untaken = (
  storage: Pick<Storage, "read">,
  newestFirst: ReadonlyArray<Message>
): Effect.Effect<ReadonlyArray<Message>, ReadError> =>
  Effect.map(
    storage.read(
      Object.fromEntries(
        newestFirst
          .filter(({ direction }) => direction === "inbound")
          .map(({ id }) => [id, lookup("jobs", { id: converseJobId(id) })] as const)
      )
    ),
    (jobs) => newestFirst.filter(({ id }) => (jobs[id] ?? []).length > 0).reverse()
  )
