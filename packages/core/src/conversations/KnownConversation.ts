import { Effect } from "effect"
import { capabilitiesOf } from "../channels/capabilitiesOf.js"
import type { ChannelProviders } from "../ports/ChannelProvider.js"
import { lookup, type ReadError, type Storage } from "../ports/Storage.js"
import type { Conversation } from "./Conversation.js"

/** A conversation, and the hours of its channel's service window; null: free text at any time. */
export interface KnownConversation {
  readonly conversation: Conversation
  readonly serviceWindowHours: number | null
}

/** Each with the service window of its connection; the connections are looked up together. */
export const knownConversations = (
  storage: Storage,
  providers: ChannelProviders,
  conversations: ReadonlyArray<Conversation>
): Effect.Effect<ReadonlyArray<KnownConversation>, ReadError> =>
  Effect.map(
    storage.read(Object.fromEntries(conversations.map(({ connectionId: id }) => [id, lookup("connections", { id })]))),
    (connections) =>
      conversations.map((conversation) => {
        const connection = connections[conversation.connectionId]?.[0]
        const serviceWindowHours =
          connection === undefined ? null : capabilitiesOf(providers, connection).serviceWindowHours
        return { conversation, serviceWindowHours }
      })
  )
