import { Either } from "effect"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Address, Contact } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { Lead } from "../../model/Lead.js"
import type { Task } from "../../model/Task.js"
import { changes, expect, type Parts, remove, set } from "../../ports/Changes.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import { maxItems } from "./ContactInput.js"
import { contactEvent } from "./contactEvent.js"
import { contactJob, contactsToReassign, withoutContactJob } from "./contactJob.js"
import { listsOverLimit } from "./listsOverLimit.js"
import type { MergeInput } from "./MergeInput.js"
import { mergedContact } from "./mergedContact.js"
import { reassignConversationJob } from "./reassignConversation.js"

/** What a merge may read. */
export interface MergeContactsWorld {
  /** The contact that remains. */
  readonly contact: Contact
  /** The contact that the body names, in any workspace. It is deleted. The next fields are its rows. */
  readonly other: Contact | undefined
  readonly addresses: ReadonlyArray<Address>
  readonly conversations: ReadonlyArray<Conversation>
  /** The newest leads; a job moves the rest. */
  readonly leads: ReadonlyArray<Lead>
  readonly tasks: ReadonlyArray<Task>
  /** Pending jobs of the two contacts, see {@link contactJob}. */
  readonly pending: { readonly contact: Job | undefined; readonly other: Job | undefined }
  readonly subscribers: Subscribers
}

/**
 * Merges another contact into this one (docs/reference/contacts.md#merging). Its handles, conversations, leads and
 * tasks move in the commit; its history (messages, business events, events) moves in jobs. The other contact is deleted
 * in the commit, and `contact.updated` is emitted for this one. Fails with 422 if the merged contact would exceed the
 * limit of handles or tags.
 */
export const mergeContacts = (
  world: MergeContactsWorld,
  decoded: PartialDecode<MergeInput>,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Contact>, Refusal> =>
  Either.gen(function* () {
    const { contact, pending } = world
    yield* complete(decoded, otherProblems(decoded.value.contactId, world))
    const other = world.other as Contact
    const { id, workspaceId, version } = contact
    const merged = mergedContact(contact, other)
    const result: Contact = { ...merged, version: version + 1 }
    const { id: _id, lastActivityAt, version: _version, workspaceId: _workspaceId, ...values } = merged
    const from = [...contactsToReassign(pending.contact), ...contactsToReassign(pending.other), other.id]
    return {
      changes: changes(
        workspaceId,
        {
          expects: [
            expect("contacts", { id }, { version }),
            expect("contacts", { id: other.id }, { version: other.version })
          ],
          sets: [set("contacts", { id }, values)],
          deletes: [remove("contacts", { id: other.id })],
          // A bump, because messages change this column without a version.
          bumps: [{ table: "contacts", id, greatest: { lastActivityAt } }],
          inserts: [
            ...emit(world.subscribers, contactEvent("contact.updated", result), now, ids),
            auditRow({ workspaceId, applicationId: null, action: "contact.merged", subjectId: id }, now, ids),
            auditRow({ workspaceId, applicationId: null, action: "contact.merged_away", subjectId: other.id }, now, ids)
          ]
        },
        moved(world, other.id, now, ids),
        withoutContactJob(pending.other),
        contactJob(contact, { task: "gather_contact", from }, pending.contact, now)
      ),
      result
    }
  })

const otherProblems = (given: string | undefined, { contact, other }: MergeContactsWorld): Problems => {
  if (given === undefined) return {}
  if (given === contact.id) return { contact_id: ["must be another contact than the one that it is folded into"] }
  if (other?.workspaceId !== contact.workspaceId) {
    return { contact_id: ["must be the id of a contact of the same workspace"] }
  }
  const message = listsOverLimit(contact, mergedContact(contact, other)).map(
    (list) => `must have at most ${maxItems[list]} ${list} together with the contact that it is folded into`
  )
  return message.length === 0 ? {} : { contact_id: message }
}

/** The rows that move in the commit. */
const moved = (world: MergeContactsWorld, from: string, now: Instant, ids: ActingIds): Parts => {
  const contactId = world.contact.id
  const { addresses, conversations, leads, tasks } = world
  const addressKeys = addresses.map(({ contactId: _, ...key }) => key)
  return {
    expects: [
      ...addressKeys.map((key) => expect("addresses", key, { contactId: from })),
      ...conversations.map(({ id }) => expect("conversations", { id }, { contactId: from })),
      ...leads.map(({ id }) => expect("leads", { id }, { contactId: from })),
      ...tasks.map(({ id }) => expect("tasks", { id }, { contactId: from }))
    ],
    sets: [
      ...addressKeys.map((key) => set("addresses", key, { contactId })),
      ...conversations.map(({ id }) => set("conversations", { id }, { contactId })),
      ...leads.map(({ id }) => set("leads", { id }, { contactId })),
      ...tasks.map(({ id }) => set("tasks", { id }, { contactId }))
    ],
    inserts: conversations.map((conversation) => reassignConversationJob(conversation, now, ids))
  }
}
