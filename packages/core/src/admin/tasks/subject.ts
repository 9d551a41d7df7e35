import { Either } from "effect"
import type { Contact } from "../../contacts/Contact.js"
import type { Conversation } from "../../conversations/Conversation.js"
import type { Problems } from "../../errors/Refusal.js"
import { expect, type Parts } from "../../ports/Changes.js"
import { type Lookup, lookupById } from "../../ports/Storage.js"

/** Whom and what a task is about. One about a conversation is about its contact, so that it goes where the contact goes. */
export interface Subject {
  readonly contactId: string | null
  readonly conversationId: string | null
}

/** The rows that a subject names, in whatever workspace. */
export interface Named {
  readonly contacts: ReadonlyArray<Contact>
  readonly conversations: ReadonlyArray<Conversation>
}

/** The lookups whose rows are the {@link Named}. */
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

/** The subject that is wished for, with the contact of its conversation, or what is wrong with it. */
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

/** That the contact is there still, and the conversation is theirs, when the task is written. */
export const subjectStays = ({ contactId, conversationId }: Subject): Parts => ({
  expects: [
    ...(contactId === null ? [] : [expect("contacts", { id: contactId })]),
    ...(conversationId === null || contactId === null
      ? []
      : [expect("conversations", { id: conversationId }, { contactId })])
  ]
})
