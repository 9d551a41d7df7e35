import { Effect } from "effect"
import type { Channels } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Message, ProviderMessage } from "../../model/Message.js"
import { type Lookup, lookup, lookupById, type ReadError, readByIds, type Storage } from "../../ports/Storage.js"
import {
  contactAndConversationLookups,
  resolvedContactId
} from "../../resources/conversations/loadContactAndConversation.js"
import type { History, HistoryWorld } from "./importMessages.js"
import { awaitingOutcome } from "./loadEcho.js"

/** Loads the world of messages of the past in two batched reads, and a list if the business wrote one of them. */
export const loadHistory = (
  storage: Pick<Storage, "list" | "read">,
  channels: Channels,
  connection: Connection,
  { handle, messages }: History
): Effect.Effect<HistoryWorld, ReadError> =>
  Effect.gen(function* () {
    const { id: connectionId } = connection
    const providerIds = [
      ...new Set(messages.flatMap(({ providerMessageId, quoted }) => [providerMessageId, quoted?.providerMessageId]))
    ].filter((id) => id != null)
    const [{ contactId, conversation }, known] = yield* Effect.all(
      [
        Effect.map(storage.read(contactAndConversationLookups(channels, connection, handle)), (found) => ({
          contactId: resolvedContactId(found),
          conversation: found.conversations[0]
        })),
        providerMessagesOf(storage, connectionId, providerIds)
      ],
      // The look-ups go together in one statement.
      { concurrency: "unbounded" }
    )
    const messageIds = [...known.values()].flatMap(({ messageId }) => messageId ?? [])
    const isWritten = messages.some(({ direction }) => direction === "outbound")
    const [{ contacts }, stored, awaiting] = yield* Effect.all(
      [
        storage.read({ contacts: lookupById("contacts", contactId) }),
        readByIds(storage, { messages: messageIds }),
        conversation === undefined || !isWritten
          ? Effect.succeed<ReadonlyArray<Message>>([])
          : awaitingOutcome(storage, conversation.id)
      ],
      { concurrency: "unbounded" }
    )
    return { contact: contacts[0], conversation, known, messages: stored.messages, awaiting }
  })

/** The rows of provider message ids, by id. */
export const providerMessagesOf = (
  storage: Pick<Storage, "read">,
  connectionId: string,
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, ProviderMessage>, ReadError> => {
  const lookups: { [id: string]: Lookup<"providerMessages"> } = Object.create(null)
  for (const providerMessageId of ids) {
    lookups[providerMessageId] = lookup("providerMessages", { connectionId, providerMessageId })
  }
  return Effect.map(
    storage.read(lookups),
    (found) => new Map(Object.values(found).flatMap((rows) => rows.map((row) => [row.providerMessageId, row] as const)))
  )
}
