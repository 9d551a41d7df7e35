import { Effect } from "effect"
import type { Message } from "../../model/Message.js"
import type { ThreadMessage } from "../../ports/ChannelProvider.js"
import type { ReadError, Storage } from "../../ports/Storage.js"

/** Maximum number of messages in a thread. */
const maxThreadMessages = 10

/** How many messages are read: some have no provider message id. */
const maxScanned = 3 * maxThreadMessages

/**
 * The last ten messages of the conversation before this one that have a provider message id, oldest first. Without
 * automatic ones of the customer, such as out-of-office replies, unless there are no others: the message continues what
 * people wrote, under its subject.
 */
export const loadThread = (
  storage: Pick<Storage, "list">,
  { conversationId, id }: Message
): Effect.Effect<ReadonlyArray<ThreadMessage>, ReadError> =>
  Effect.map(
    storage.list({ from: "messages", where: { conversationId }, after: id, limit: maxScanned }),
    (newestFirst) => {
      const written = newestFirst.filter((message) => !isAutomaticReply(message)).flatMap(threaded)
      const thread = written.length > 0 ? written : newestFirst.flatMap(threaded)
      return thread.slice(0, maxThreadMessages).reverse()
    }
  )

const isAutomaticReply = ({ direction, envelope }: Message): boolean =>
  direction === "inbound" && envelope?.automatic === true

const threaded = ({ direction, providerMessageId, subject }: Message): ReadonlyArray<ThreadMessage> =>
  providerMessageId === null ? [] : [{ direction, providerMessageId, subject }]
