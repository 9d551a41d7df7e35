import { Effect } from "effect"
import type { Connection } from "../channels/Connection.js"
import { acquaintanceLookups, acquaintedContactId } from "../conversations/loadAcquaintance.js"
import { subscriberLookups } from "../events/Outbox.js"
import { lookup, lookupById, type ReadError, type Storage } from "../ports/Storage.js"
import type { InboundMessage, InboundWorld } from "./receiveMessage.js"

/** Reads the world of a customer's message: all at once, then those who are known by name. */
export const loadInbound = (
  storage: Pick<Storage, "read">,
  connection: Connection,
  { from, providerMessageId }: Pick<InboundMessage, "from" | "providerMessageId">
): Effect.Effect<InboundWorld, ReadError> => {
  const { id: connectionId, workspaceId } = connection
  const found = storage.read({
    ...subscriberLookups(workspaceId),
    ...acquaintanceLookups(connection, from),
    known: lookup("providerMessages", { connectionId, providerMessageId }),
    bots: lookup("bots", { workspaceId, status: "active" })
  })
  return Effect.flatMap(found, (found) => {
    const { applications, bots, conversations, endpoints } = found
    const known = found.known[0]
    const world = { conversation: conversations[0], known, bots, subscribers: { endpoints, applications } }
    const contactId = acquaintedContactId(found)
    // Nothing is left to ask about a stranger.
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
