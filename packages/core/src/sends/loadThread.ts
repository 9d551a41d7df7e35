import { Effect } from "effect"
import type { Message } from "../messages/Message.js"
import type { ThreadMessage } from "../ports/ChannelProvider.js"
import type { ReadError, Storage } from "../ports/Storage.js"

/** The most messages that a provider is told of. */
const mostInThread = 10

/** How many are looked at: some may never have got as far as the provider. */
const looked = 3 * mostInThread

/** What was said in a message's conversation before it, oldest first: the last ten that the provider knows. */
export const loadThread = (
  storage: Pick<Storage, "list">,
  { conversationId, id }: Message
): Effect.Effect<ReadonlyArray<ThreadMessage>, ReadError> =>
  Effect.map(storage.list({ from: "messages", where: { conversationId }, after: id, limit: looked }), (newestFirst) =>
    newestFirst
      .flatMap(({ direction, providerMessageId, subject }) =>
        providerMessageId === null ? [] : [{ direction, providerMessageId, subject }]
      )
      .slice(0, mostInThread)
      .reverse()
  )
