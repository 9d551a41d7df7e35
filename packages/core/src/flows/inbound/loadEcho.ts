import { Effect } from "effect"
import type { Channels } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Message } from "../../model/Message.js"
import type { ReadError, Storage } from "../../ports/Storage.js"
import { botLookups, botOf } from "../bots/stopBot.js"
import { loadInbound } from "./loadInbound.js"
import type { Echo, EchoWorld } from "./mirrorMessage.js"

/** Number of the newest messages of the conversation among which a send is looked for that awaits its outcome. */
const maxAwaiting = 50

/** The messages of a conversation whose sends await their outcome, oldest first. */
export const awaitingOutcome = (
  storage: Pick<Storage, "list">,
  conversationId: string
): Effect.Effect<ReadonlyArray<Message>, ReadError> =>
  Effect.map(storage.list({ from: "messages", where: { conversationId }, after: null, limit: maxAwaiting }), (newest) =>
    newest.filter(({ status }) => status === "queued").reverse()
  )

/** Loads the world of an echo. */
export const loadEcho = (
  storage: Pick<Storage, "list" | "read">,
  channels: Channels,
  connection: Connection,
  { mayBeOwn = false, providerMessageId, quoted = null, to }: Echo
): Effect.Effect<EchoWorld, ReadError> =>
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
