import { Effect } from "effect"
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
  connection: Connection,
  { from, providerMessageId }: Pick<InboundMessage, "from" | "providerMessageId">
): Effect.Effect<InboundWorld, ReadError> => {
  const { id: connectionId, workspaceId } = connection
  const found = storage.read({
    ...subscriberLookups(workspaceId),
    ...contactAndConversationLookups(connection, from),
    known: lookup("providerMessages", { connectionId, providerMessageId }),
    bots: lookup("bots", { workspaceId, status: "active" })
  })
  return Effect.flatMap(found, (found) => {
    const { applications, bots, conversations, endpoints } = found
    const known = found.known[0]
    const world = { conversation: conversations[0], known, bots, subscribers: { endpoints, applications } }
    const contactId = resolvedContactId(found)
    // An unknown contact needs no second read.
    if (contactId === undefined && known?.messageId == null) {
      return Effect.succeed({ ...world, contact: undefined, message: undefined })
    }
    const rest = storage.read({
      contacts: lookupById("contacts", contactId),
      messages: lookupById("messages", known?.messageId)
    })
    return Effect.map(rest, ({ contacts, messages }) => ({ ...world, contact: contacts[0], message: messages[0] }))
  })
}
