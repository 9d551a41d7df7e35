import { Effect } from "effect"
import type { Message } from "../../model/Message.js"
import type { ThreadMessage } from "../../ports/ChannelProvider.js"
import type { ReadError, Storage } from "../../ports/Storage.js"

/** Maximum number of messages in a thread. */
const maxThreadMessages = 10

/** How many messages are read: some have no provider message id. */
const maxScanned = 3 * maxThreadMessages

/** The last ten messages of the conversation before this one that have a provider message id, oldest first. */
export const loadThread = (
  storage: Pick<Storage, "list">,
  { conversationId, id }: Message
): Effect.Effect<ReadonlyArray<ThreadMessage>, ReadError> =>
  Effect.map(
    storage.list({ from: "messages", where: { conversationId }, after: id, limit: maxScanned }),
    (newestFirst) =>
      newestFirst
        .flatMap(({ direction, providerMessageId, subject }) =>
          providerMessageId === null ? [] : [{ direction, providerMessageId, subject }]
        )
        .slice(0, maxThreadMessages)
        .reverse()
  )
