import { Effect } from "effect"
import { type Channels, channelOf } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Address } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import { type Lookup, lookup, lookupById, type ReadError, type Storage } from "../../ports/Storage.js"
import { addressOf, handleKind } from "../contacts/Handle.js"
import type { ContactAndConversation } from "./openConversation.js"

/** First lookups for a normalised handle on a connection: the contact that claims its address, and the conversation. */
export const contactAndConversationLookups = (
  channels: Channels,
  { channel, id: connectionId, workspaceId }: Connection,
  handle: string
): { readonly addresses: Lookup<"addresses">; readonly conversations: Lookup<"conversations"> } => ({
  addresses: lookup("addresses", { workspaceId, ...addressOf(handleKind(channelOf(channels, channel)), handle) }),
  conversations: lookup("conversations", { connectionId, handle })
})

/** The contact that claims the address, else the contact of the conversation. */
export const resolvedContactId = ({
  addresses,
  conversations
}: {
  readonly addresses: ReadonlyArray<Address>
  readonly conversations: ReadonlyArray<Conversation>
}): string | undefined => addresses[0]?.contactId ?? conversations[0]?.contactId

/**
 * Loads the contact and the conversation of a normalised handle on a connection. The contact is that of the address,
 * else that of the conversation.
 */
export const loadContactAndConversation = (
  storage: Pick<Storage, "read">,
  channels: Channels,
  connection: Connection,
  handle: string
): Effect.Effect<ContactAndConversation, ReadError> =>
  Effect.gen(function* () {
    const found = yield* storage.read(contactAndConversationLookups(channels, connection, handle))
    const { contacts } = yield* storage.read({ contacts: lookupById("contacts", resolvedContactId(found)) })
    return { conversation: found.conversations[0], contact: contacts[0] }
  })
