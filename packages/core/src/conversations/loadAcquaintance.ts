import { Effect } from "effect"
import type { Connection } from "../channels/Connection.js"
import { addressOf } from "../contacts/Handle.js"
import { lookup, lookupById, type ReadError, type Storage } from "../ports/Storage.js"
import type { Acquaintance } from "./openConversation.js"

/** What is known of a normalised handle on a connection: the contact that has its address, else that of its conversation. */
export const loadAcquaintance = (
  storage: Pick<Storage, "read">,
  { channel, id: connectionId, workspaceId }: Connection,
  handle: string
): Effect.Effect<Acquaintance, ReadError> =>
  Effect.gen(function* () {
    const { addresses, conversations } = yield* storage.read({
      addresses: lookup("addresses", { workspaceId, ...addressOf(channel, handle) }),
      conversations: lookup("conversations", { connectionId, handle })
    })
    const conversation = conversations[0]
    const contactId = addresses[0]?.contactId ?? conversation?.contactId
    const { contacts } = yield* storage.read({ contacts: lookupById("contacts", contactId) })
    return { conversation, contact: contacts[0] }
  })
