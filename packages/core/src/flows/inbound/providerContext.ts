import { Effect, Either } from "effect"
import { isUuid } from "../../kernel/input/Fields.js"
import { channelOf } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Conversation } from "../../model/Conversation.js"
import { day } from "../../model/Instant.js"
import type { ChannelProvider, ProviderContext } from "../../ports/ChannelProvider.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { lookup, lookupById, type ReadError, readByIds, type Storage } from "../../ports/Storage.js"
import { avatarPath, signedPath } from "../../resources/attachments/fileLink.js"
import { handleKind, normaliseHandle } from "../../resources/contacts/Handle.js"
import type { FeedUpdates } from "../../resources/conversations/FeedUpdates.js"
import type { Inbound } from "./Inbound.js"

/** Services behind a {@link providerContext}. */
export interface ProviderContextServices {
  readonly storage: Storage
  readonly inbound: Pick<Inbound, "take">
  readonly feedUpdates: Pick<FeedUpdates, "of" | "watch">
  readonly secretBox: Pick<SecretBox, "sign">
}

/** Lifetime of the URLs of files for customers, in ms: a page may stay open for long. */
const urlLifetime = day

/** The engine's interface for a provider that serves its customers itself, restricted to one connection. */
export const providerContext = (
  { feedUpdates, inbound, secretBox, storage }: ProviderContextServices,
  { channels, parseHandle }: Pick<ChannelProvider, "channels" | "parseHandle">,
  connection: Connection
): ProviderContext => {
  const { channel, id: connectionId } = connection
  const kind = handleKind(channelOf(channels, channel))
  /** The normalised handle. Invalid text is returned as it is and matches no conversation. */
  const normal = (handle: string): string =>
    normaliseHandle(kind, handle).pipe(
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
    messages: (handle, ids) =>
      Effect.gen(function* () {
        const conversation = yield* conversationOf(handle)
        const known = ids.filter(isUuid).map((id) => id.toLowerCase())
        if (conversation === undefined) return new Map()
        const { messages } = yield* readByIds(storage, { messages: known })
        return new Map([...messages].filter(([, { conversationId }]) => conversationId === conversation.id))
      }),
    fed: (handle, after, limit) =>
      Effect.gen(function* () {
        const conversation = yield* conversationOf(handle)
        if (conversation === undefined) return { feed: null, messages: [] }
        const first = Math.max(0, after) + 1
        const last = Math.min(conversation.fed, first - 1 + limit)
        const sequences = Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n)
        const conversationId = conversation.id
        const entries = yield* storage.read(
          Object.fromEntries(sequences.map((sequence) => [sequence, lookup("feed", { conversationId, sequence })]))
        )
        const inOrder = sequences.flatMap((sequence) => entries[sequence] ?? [])
        const messages = yield* storage.read(
          Object.fromEntries(inOrder.map(({ messageId, sequence }) => [sequence, lookupById("messages", messageId)]))
        )
        return {
          feed: conversationId,
          messages: inOrder.flatMap(({ sequence }) =>
            (messages[sequence] ?? []).map((message) => ({ sequence, message }))
          )
        }
      }),
    latestFed: (handle) => Effect.map(conversationOf(handle), (conversation) => conversation?.fed ?? 0),
    news: (handle) => feedUpdates.of({ connectionId, handle: normal(handle) }),
    watch: (handle, length, listener) => feedUpdates.watch({ connectionId, handle: normal(handle) }, length, listener),
    agents: (ids, now) =>
      Effect.map(storage.read(Object.fromEntries(ids.map((id) => [id, lookupById("agents", id)]))), (found) => {
        const agents = Object.values(found).flat()
        return new Map(
          agents
            .filter(({ workspaceId }) => workspaceId === connection.workspaceId)
            .map(({ avatar, id, name }) => [
              id,
              { name, avatarUrl: avatar === null ? null : `..${avatarPath(secretBox, id, now)}` }
            ])
        )
      }),
    fileUrl: (attachmentId, now) => `..${signedPath(secretBox, attachmentId, now + urlLifetime).path}`
  }
}
