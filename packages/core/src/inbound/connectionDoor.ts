import { Effect, Either } from "effect"
import type { Connection } from "../channels/Connection.js"
import { normaliseHandle } from "../contacts/Handle.js"
import type { Conversation } from "../conversations/Conversation.js"
import type { FeedNews } from "../conversations/FeedNews.js"
import { isUuid } from "../input/Fields.js"
import type { ChannelProvider, ConnectionDoor } from "../ports/ChannelProvider.js"
import { lookup, lookupById, type ReadError, type Storage } from "../ports/Storage.js"
import type { Inbound } from "./Inbound.js"

/** What a {@link connectionDoor} leads to. */
export interface BehindDoor {
  readonly storage: Storage
  readonly inbound: Pick<Inbound, "take">
  readonly news: Pick<FeedNews, "of">
}

/** What the provider of a connection that serves its customers itself may do with the engine. */
export const connectionDoor = (
  { inbound, news, storage }: BehindDoor,
  { parseHandle }: Pick<ChannelProvider, "parseHandle">,
  connection: Connection
): ConnectionDoor => {
  const { channel, id: connectionId } = connection
  /** Text that is no handle has no conversation either. */
  const normal = (handle: string): string =>
    normaliseHandle(channel, handle).pipe(
      Either.flatMap((normalised) => parseHandle(channel, normalised)),
      Either.getOrElse(() => handle)
    )

  const conversationOf = (handle: string): Effect.Effect<Conversation | undefined, ReadError> =>
    Effect.map(
      storage.read({ found: lookup("conversations", { connectionId, handle: normal(handle) }) }),
      ({ found }) => found[0]
    )

  return {
    receive: (events) => inbound.take(connection, events),
    history: (handle, before, limit) =>
      Effect.flatMap(conversationOf(handle), (conversation) =>
        conversation === undefined || (before !== null && !isUuid(before))
          ? Effect.succeed([])
          : storage.list({
              from: "messages",
              where: { conversationId: conversation.id },
              after: before?.toLowerCase() ?? null,
              limit
            })
      ),
    fed: (handle, after, limit) =>
      Effect.gen(function* () {
        const conversation = yield* conversationOf(handle)
        if (conversation === undefined) return []
        const first = Math.max(0, after) + 1
        const last = Math.min(conversation.fed, first - 1 + limit)
        const places = Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n)
        const conversationId = conversation.id
        const entries = yield* storage.read(
          Object.fromEntries(places.map((sequence) => [sequence, lookup("feed", { conversationId, sequence })]))
        )
        const inOrder = places.flatMap((sequence) => entries[sequence] ?? [])
        const messages = yield* storage.read(
          Object.fromEntries(inOrder.map(({ messageId, sequence }) => [sequence, lookupById("messages", messageId)]))
        )
        return inOrder.flatMap(({ sequence }) => (messages[sequence] ?? []).map((message) => ({ sequence, message })))
      }),
    latestFed: (handle) => Effect.map(conversationOf(handle), (conversation) => conversation?.fed ?? 0),
    news: (handle) => news.of({ connectionId, handle: normal(handle) })
  }
}
