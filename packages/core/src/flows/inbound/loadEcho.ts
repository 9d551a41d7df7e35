import { Effect } from "effect"
import type { Channels } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Job } from "../../model/Job.js"
import type { Message } from "../../model/Message.js"
import { lookup, type ReadError, type Storage } from "../../ports/Storage.js"
import { botLookups, botOf } from "../bots/stopBot.js"
import { progressOf } from "../sends/SendProgress.js"
import { loadInbound } from "./loadInbound.js"
import type { Echo, EchoWorld } from "./mirrorMessage.js"
import type { QuotedState } from "./receiveMessage.js"

/** Number of the newest messages of the conversation among which a send is looked for that awaits its outcome. */
const maxAwaiting = 50

/**
 * The messages of a conversation that the vendor may have without an outcome stored here, oldest first. Others that are
 * queued are left out: taken for a message that the vendor has, they would never be sent.
 */
export const awaitingOutcome = (
  storage: Pick<Storage, "list" | "read">,
  conversationId: string
): Effect.Effect<ReadonlyArray<Message>, ReadError> =>
  Effect.gen(function* () {
    const newest = yield* storage.list({
      from: "messages",
      where: { conversationId },
      after: null,
      limit: maxAwaiting
    })
    const queued = newest.filter(({ status }) => status === "queued").reverse()
    if (queued.length === 0) return queued
    const jobs = yield* storage.read(Object.fromEntries(queued.map(({ id }) => [id, lookup("jobs", { id })])))
    return queued.filter(({ id }) => jobs[id]?.some(mayBeOut))
  })

/** Whether a send has an attempt without an outcome, or one of unknown outcome. */
const mayBeOut = (job: Job): boolean => {
  if (job.lane !== "sends") return false
  const { held, settled } = progressOf(job)
  return held || job.attempts > settled
}

/** Loads the world of an echo. */
export const loadEcho = (
  storage: Pick<Storage, "list" | "read">,
  channels: Channels,
  connection: Connection,
  { mayBeOwn = false, providerMessageId, quoted = null, to }: Echo
): Effect.Effect<Omit<EchoWorld, keyof QuotedState>, ReadError> =>
  Effect.gen(function* () {
    const world = yield* loadInbound(storage, channels, connection, { from: to, providerMessageId, quoted })
    const { conversation, known } = world
    if (conversation === undefined || known?.messageId != null) {
      return { ...world, awaiting: [], session: undefined, botJobs: [] }
    }
    const bot = botOf(yield* storage.read(botLookups(conversation)))
    if (!mayBeOwn) return { ...world, ...bot, awaiting: [] }
    return { ...world, ...bot, awaiting: yield* awaitingOutcome(storage, conversation.id) }
  })
