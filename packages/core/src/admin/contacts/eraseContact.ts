import { Either } from "effect"
import type { Address, Contact } from "../../contacts/Contact.js"
import { contactJob, stillToGather } from "../../contacts/contactJob.js"
import type { Conversation } from "../../conversations/Conversation.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, remove } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Job } from "../../worker/Job.js"
import { audited } from "../audited.js"

/** All that an erasure may look at: a contact and what is found by it at once. */
export interface EraseContactWorld {
  readonly contact: Contact
  readonly addresses: ReadonlyArray<Address>
  readonly conversations: ReadonlyArray<Conversation>
  /** The job that the contact has, see {@link contactJob}. */
  readonly pending: Job | undefined
}

/**
 * Erases a contact with all that is kept of it. The contact, its addresses and its conversations go in this commit, so that
 * whoever writes from one of its handles is somebody new; a job deletes the rest behind it. What remains is an audit entry
 * with the id.
 */
export const eraseContact = (
  { addresses, contact, conversations, pending }: EraseContactWorld,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Contact>, Refusal> => {
  const { id, version, workspaceId } = contact
  const addressKeys = addresses.map(({ contactId: _, ...key }) => key)
  const work = {
    task: "erase_contact" as const,
    contactIds: [id, ...stillToGather(pending)],
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
          ...conversations.map((conversation) => expect("conversations", { id: conversation.id }, { contactId: id }))
        ],
        deletes: [
          remove("contacts", { id }),
          ...addressKeys.map((key) => remove("addresses", key)),
          ...conversations.map((conversation) => remove("conversations", { id: conversation.id }))
        ],
        inserts: [audited(entry, now, ids)]
      },
      contactJob(contact, work, pending, now)
    ),
    result: contact
  })
}
