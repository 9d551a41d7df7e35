import { Effect } from "effect"
import type { Conversation } from "../../model/Conversation.js"
import type { ChannelProviders } from "../../ports/ChannelProvider.js"
import { lookup, type ReadError, type Storage } from "../../ports/Storage.js"
import { capabilitiesOf } from "../channels/capabilitiesOf.js"

/** A conversation and the service window of its channel in hours; null if the channel has no window. */
export interface ConversationWithWindow {
  readonly conversation: Conversation
  readonly serviceWindowHours: number | null
}

/** Adds the service window of its connection to each conversation. Reads all connections in one read. */
export const withServiceWindows = (
  storage: Storage,
  providers: ChannelProviders,
  conversations: ReadonlyArray<Conversation>
): Effect.Effect<ReadonlyArray<ConversationWithWindow>, ReadError> =>
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
