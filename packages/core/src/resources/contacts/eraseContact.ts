import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import type { Address, Contact } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { changes, expect, remove } from "../../ports/Changes.js"
import { contactJob, contactsToReassign } from "./contactJob.js"
import { reassignConversationJob } from "./reassignConversation.js"

/** What an erasure may read: the contact and the rows that are deleted in the same commit. */
export interface EraseContactWorld {
  readonly contact: Contact
  readonly addresses: ReadonlyArray<Address>
  /** Those of the contact, and those of its handles that still belong to a former contact of the handle. */
  readonly conversations: ReadonlyArray<Conversation>
  /** The contact's pending job, see {@link contactJob}. */
  readonly pending: Job | undefined
}

/**
 * Erases a contact and its data (docs/reference/contacts.md#erasure). This commit deletes the contact, its addresses
 * and the conversations of its handles, so a later message from one of its handles creates a new contact. A job deletes
 * the rest. An audit entry with the id remains.
 */
export const eraseContact = (
  { addresses, contact, conversations, pending }: EraseContactWorld,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Contact>, Refusal> => {
  const { id, version, workspaceId } = contact
  const addressKeys = addresses.map(({ contactId: _, ...key }) => key)
  const work = {
    task: "erase_contact" as const,
    contactIds: [id, ...contactsToReassign(pending)],
    conversationIds: conversations.map((conversation) => conversation.id)
  }
  const entry = { workspaceId, applicationId: null, action: "contact.erased", subjectId: id }
  return Either.right({
    changes: changes(
      workspaceId,
      {
        expects: [
          expect("contacts", { id }, { version }),
          ...addressKeys.map((key) => expect("addresses", key, { contactId: id })),
          ...conversations.map(({ contactId, id }) => expect("conversations", { id }, { contactId }))
        ],
        deletes: [
          remove("contacts", { id }),
          ...addressKeys.map((key) => remove("addresses", key)),
          ...conversations.map((conversation) => remove("conversations", { id: conversation.id }))
        ],
        inserts: [
          auditRow(entry, now, ids),
          ...conversations
            .filter(({ contactId }) => contactId !== id)
            .map((conversation) => reassignConversationJob(conversation, now, ids))
        ]
      },
      contactJob(contact, work, pending, now)
    ),
    result: contact
  })
}
