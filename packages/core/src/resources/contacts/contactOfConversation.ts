import { Effect } from "effect"
import type { Contact } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import { type ReadError, readById, type Storage } from "../../ports/Storage.js"

/**
 * The contact of a conversation; undefined if it was erased. A merge moves the conversation in its commit: one whose
 * contact is gone is read again, so that an opt-out does not get lost with the former contact.
 */
export const contactOfConversation = (
  storage: Pick<Storage, "read">,
  conversation: Pick<Conversation, "contactId" | "id"> | undefined
): Effect.Effect<Contact | undefined, ReadError> =>
  Effect.gen(function* () {
    const contact = yield* readById(storage, "contacts", conversation?.contactId)
    if (conversation === undefined || contact !== undefined) return contact
    const present = yield* readById(storage, "conversations", conversation.id)
    return present?.contactId === conversation.contactId ? undefined : yield* contactOfConversation(storage, present)
  })
