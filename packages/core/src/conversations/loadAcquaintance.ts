import { Effect } from "effect"
import type { Connection } from "../channels/Connection.js"
import type { Address } from "../contacts/Contact.js"
import { addressOf } from "../contacts/Handle.js"
import { type Lookup, lookup, lookupById, type ReadError, type Storage } from "../ports/Storage.js"
import type { Conversation } from "./Conversation.js"
import type { Acquaintance } from "./openConversation.js"

/** What is looked up first of a normalised handle on a connection: who has its address, and its conversation. */
export const acquaintanceLookups = (
  { channel, id: connectionId, workspaceId }: Connection,
  handle: string
): { readonly addresses: Lookup<"addresses">; readonly conversations: Lookup<"conversations"> } => ({
  addresses: lookup("addresses", { workspaceId, ...addressOf(channel, handle) }),
  conversations: lookup("conversations", { connectionId, handle })
})

/** The contact that has the address, else that of the conversation. */
export const acquaintedContactId = ({
  addresses,
  conversations
}: {
  readonly addresses: ReadonlyArray<Address>
  readonly conversations: ReadonlyArray<Conversation>
}): string | undefined => addresses[0]?.contactId ?? conversations[0]?.contactId

/** What is known of a normalised handle on a connection: the contact that has its address, else that of its conversation. */
export const loadAcquaintance = (
  storage: Pick<Storage, "read">,
  connection: Connection,
  handle: string
): Effect.Effect<Acquaintance, ReadError> =>
  Effect.gen(function* () {
    const found = yield* storage.read(acquaintanceLookups(connection, handle))
    const { contacts } = yield* storage.read({ contacts: lookupById("contacts", acquaintedContactId(found)) })
    return { conversation: found.conversations[0], contact: contacts[0] }
  })
