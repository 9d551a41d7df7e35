import { Either } from "effect"
import type { Address, Contact } from "../../contacts/Contact.js"
import { mostItems } from "../../contacts/ContactInput.js"
import { contactEvent } from "../../contacts/contactEvent.js"
import { contactJob, stillToGather, withoutContactJob } from "../../contacts/contactJob.js"
import { outgrownLists } from "../../contacts/outgrownLists.js"
import type { Conversation } from "../../conversations/Conversation.js"
import { moveMessagesJob } from "../../conversations/moveMessages.js"
import type { Decision } from "../../Decider.js"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import { emit, type Subscribers } from "../../events/Outbox.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import type { Lead } from "../../leads/Lead.js"
import { changes, expect, type Parts, remove, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Task } from "../../tasks/Task.js"
import type { Job } from "../../worker/Job.js"
import { audited } from "../audited.js"
import type { MergeInput } from "./MergeInput.js"
import { mergedContact } from "./mergedContact.js"

/** All that a merge may look at. */
export interface MergeContactsWorld {
  /** The one that stays. */
  readonly contact: Contact
  /** The one that is named by the body and goes, in whatever workspace; and what is its own. */
  readonly other: Contact | undefined
  readonly addresses: ReadonlyArray<Address>
  readonly conversations: ReadonlyArray<Conversation>
  /** The newest ones; the job moves the rest. */
  readonly leads: ReadonlyArray<Lead>
  readonly tasks: ReadonlyArray<Task>
  /** The jobs that the two contacts have, see {@link contactJob}. */
  readonly pending: { readonly contact: Job | undefined; readonly other: Job | undefined }
  readonly subscribers: Subscribers
}

/**
 * Folds another contact into this one (decisions.md §14). Its handles, conversations, leads and tasks move in the commit, its
 * history (messages, business events, events) in jobs behind it; it is gone at once, and the workspace hears that this one
 * was updated. Refused where the two have more handles or tags than a contact may be given.
 */
export const mergeContacts = (
  world: MergeContactsWorld,
  draft: Draft<MergeInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Contact>, Refusal> =>
  Either.gen(function* () {
    const { contact, pending } = world
    yield* complete(draft, otherProblems(draft.value.contactId, world))
    const other = world.other as Contact
    const { id, workspaceId, version } = contact
    const merged = mergedContact(contact, other)
    const result: Contact = { ...merged, version: version + 1 }
    const { id: _id, lastActivityAt, version: _version, workspaceId: _workspaceId, ...values } = merged
    const from = [...stillToGather(pending.contact), ...stillToGather(pending.other), other.id]
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
          // Messages raise it without a version.
          bumps: [{ table: "contacts", id, greatest: { lastActivityAt } }],
          inserts: [
            ...emit(world.subscribers, contactEvent("contact.updated", result), now, ids),
            audited({ workspaceId, applicationId: null, action: "contact.merged", subjectId: id }, now, ids)
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
  const words = outgrownLists(contact, mergedContact(contact, other)).map(
    (list) => `must have at most ${mostItems[list]} ${list} together with the contact that it is folded into`
  )
  return words.length === 0 ? {} : { contact_id: words }
}

/** What moves in the commit itself. */
const moved = (world: MergeContactsWorld, from: string, now: Instant, ids: Ids): Parts => {
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
    inserts: conversations.map((conversation) => moveMessagesJob(conversation, now, ids))
  }
}
