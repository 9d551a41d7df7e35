import { Either } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import type { Contact } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import { expect, type Parts } from "../../ports/Changes.js"
import { type Lookup, lookupById } from "../../ports/Storage.js"

/**
 * The contact and the conversation of a task. A task about a conversation is also about its contact, so that a merge or
 * erasure of the contact includes the task.
 */
export interface Subject {
  readonly contactId: string | null
  readonly conversationId: string | null
}

/** The rows that a subject names, in any workspace. */
export interface Named {
  readonly contacts: ReadonlyArray<Contact>
  readonly conversations: ReadonlyArray<Conversation>
}

/** The lookups that load {@link Named}. */
export const subjectLookups = ({
  contactId,
  conversationId
}: Partial<Subject>): {
  readonly contacts: Lookup<"contacts"> | null
  readonly conversations: Lookup<"conversations"> | null
} => ({
  contacts: lookupById("contacts", contactId),
  conversations: lookupById("conversations", conversationId)
})

/** Validates the requested subject and adds the contact of its conversation. */
export const subjectOf = (
  { contactId, conversationId }: Subject,
  { contacts: [contact], conversations: [conversation] }: Named,
  workspaceId: string
): Either.Either<Subject, Problems> => {
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  const known =
    conversation?.id === conversationId && conversation?.workspaceId === workspaceId ? conversation : undefined
  if (conversationId !== null && known === undefined) {
    problems.conversation_id = ["must be the id of a conversation of this workspace"]
  }
  if (contactId !== null && contact?.workspaceId !== workspaceId) {
    problems.contact_id = ["must be the id of a contact of this workspace"]
  } else if (contactId !== null && known !== undefined && known.contactId !== contactId) {
    problems.contact_id = ["must be the contact of the conversation"]
  }
  if (Object.keys(problems).length > 0) return Either.left(problems)
  return Either.right({ contactId: contactId ?? known?.contactId ?? null, conversationId })
}

/** Expects that the contact still exists, and that the conversation is still the contact's, when the task commits. */
export const expectSubject = ({ contactId, conversationId }: Subject): Parts => ({
  expects: [
    ...(contactId === null ? [] : [expect("contacts", { id: contactId })]),
    ...(conversationId === null || contactId === null
      ? []
      : [expect("conversations", { id: conversationId }, { contactId })])
  ]
})
