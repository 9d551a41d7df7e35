import { Effect } from "effect"
import type { Channels } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import { lookup, lookupById, type ReadError, type Storage } from "../../ports/Storage.js"
import {
  contactAndConversationLookups,
  resolvedContactId
} from "../../resources/conversations/loadContactAndConversation.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import type { InboundMessage, InboundWorld } from "./receiveMessage.js"

/** Loads the world of a customer's message in two batched reads. */
export const loadInbound = (
  storage: Pick<Storage, "read">,
  channels: Channels,
  connection: Connection,
  { from, providerMessageId, quoted = null }: Pick<InboundMessage, "from" | "providerMessageId" | "quoted">
): Effect.Effect<Omit<InboundWorld, "removedFiles">, ReadError> => {
  const { id: connectionId, workspaceId } = connection
  const found = storage.read({
    ...subscriberLookups(workspaceId),
    ...contactAndConversationLookups(channels, connection, from),
    known: lookup("providerMessages", { connectionId, providerMessageId }),
    knownQuoted:
      quoted === null
        ? null
        : lookup("providerMessages", { connectionId, providerMessageId: quoted.providerMessageId }),
    bots: lookup("bots", { workspaceId, status: "active" })
  })
  return Effect.flatMap(found, (found) => {
    const { applications, bots, conversations, endpoints } = found
    const known = found.known[0]
    const world = { conversation: conversations[0], known, bots, subscribers: { endpoints, applications } }
    const contactId = resolvedContactId(found)
    const quotedId = found.knownQuoted[0]?.messageId
    // An unknown contact needs no second read.
    if (contactId === undefined && known?.messageId == null) {
      return Effect.succeed({ ...world, contact: undefined, message: undefined, quoted: undefined })
    }
    const rest = storage.read({
      contacts: lookupById("contacts", contactId),
      messages: lookupById("messages", known?.messageId),
      quoted: lookupById("messages", quotedId ?? undefined)
    })
    return Effect.map(rest, ({ contacts, messages, quoted }) => ({
      ...world,
      contact: contacts[0],
      message: messages[0],
      quoted: quoted.find(({ conversationId }) => conversationId === world.conversation?.id)
    }))
  })
}
