import { Either } from "effect"
import type { Contact } from "../../contacts/Contact.js"
import { mostItems } from "../../contacts/ContactInput.js"
import {
  claimedHandles,
  claimedProblems,
  distinctIdentities,
  givenHandles,
  handleProblems,
  identityOf
} from "../../contacts/contactHandles.js"
import type { ContactReferences } from "../../contacts/contactReferences.js"
import { customFieldProblems } from "../../contacts/customFields.js"
import { contactCreated, newContact } from "../../contacts/newContact.js"
import { outgrownLists } from "../../contacts/outgrownLists.js"
import { spelledTags } from "../../contacts/spelledTags.js"
import { updateContact } from "../../contacts/updateContact.js"
import type { Decision } from "../../Decider.js"
import { invalid, type Refusal } from "../../errors/Refusal.js"
import type { Subscribers } from "../../events/Outbox.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import { type Draft, joinProblems } from "../../input/Draft.js"
import { changes } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { ImportedContact } from "./ImportInput.js"
import { importedPatch } from "./importedPatch.js"

/** All that the import of one contact may look at. */
export interface ImportContactWorld extends ContactReferences {
  readonly workspaceId: string
  /** The one that has the first of the handles that are known. */
  readonly known: Contact | undefined
  readonly subscribers: Subscribers
}

/** What an import made of one contact. */
export interface Imported {
  readonly result: "created" | "updated" | "unchanged" | "skipped"
  readonly contactId: string
}

/** What an import does with a contact that has one of the handles already. */
export type OnKnown = "skip" | "update"

/** The contact that has the first known handle of an input: who it is, whatever else the input says. */
export const knownContactId = (
  workspaceId: string,
  { value }: Draft<ImportedContact>,
  { addresses }: ContactReferences
): string | undefined => claimedHandles(workspaceId, givenHandles(value), addresses)[0]?.contactId

/**
 * Imports one contact, by the rules of `POST /contacts` where none of its handles is known. One that is known is left as it
 * is, or takes what the import says of it: see {@link importedPatch}.
 */
export const importContact = (
  world: ImportContactWorld,
  draft: Draft<ImportedContact>,
  onKnown: OnKnown,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Imported>, Refusal> => {
  const { known, subscribers, workspaceId } = world
  if (known === undefined) {
    return Either.map(newContact(world, draft, now, ids), (fresh) => {
      const { marketingOptedOut, optedOut } = draft.value
      const contact = { ...fresh, optedOut: optedOut === true, marketingOptedOut: marketingOptedOut === true }
      return {
        changes: changes(workspaceId, ...contactCreated(contact, subscribers, now, ids)),
        result: { result: "created", contactId: contact.id }
      }
    })
  }
  const contactId = known.id
  if (onKnown === "skip") {
    return Either.map(complete(draft), () => ({ changes: null, result: { result: "skipped", contactId } }))
  }
  return Either.gen(function* () {
    yield* acceptable(world, known, draft)
    const patch = { value: importedPatch(known, draft.value), problems: {} }
    const { changes } = yield* updateContact({ ...world, contact: known }, patch, now, ids)
    return { changes, result: { result: changes === null ? "unchanged" : "updated", contactId } }
  })
}

/** 422 `validation_failed` with all that is wrong; `details.contact_id` where a handle is that of yet another contact. */
const acceptable = (
  { addresses, customFields, tags, workspaceId }: ImportContactWorld,
  known: Contact,
  { problems, value }: Draft<ImportedContact>
): Either.Either<void, Refusal> => {
  const handles = givenHandles(value)
  const elsewhere = claimedHandles(workspaceId, handles, addresses).filter(({ contactId }) => contactId !== known.id)
  const added = handles.filter(({ handle }) => Either.isRight(handle)).map((handle) => identityOf(handle))
  const joined = {
    identities: distinctIdentities([...known.identities, ...added]),
    tags: spelledTags([...known.tags, ...(value.tags ?? [])], tags)
  }
  const all = [
    problems,
    handleProblems(handles),
    customFieldProblems(value.customFields ?? {}, customFields),
    Object.fromEntries(outgrownLists(known, joined).map((list) => [list, [tooMany(list)]])),
    claimedProblems(elsewhere)
  ].reduce(joinProblems)
  if (Object.keys(all).length === 0) return Either.void
  return Either.left(invalid(all, elsewhere[0] === undefined ? {} : { contact_id: elsewhere[0].contactId }))
}

const tooMany = (list: keyof typeof mostItems): string =>
  `must have at most ${mostItems[list]} items together with those that the contact has`
