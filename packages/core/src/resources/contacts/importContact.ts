import { Either } from "effect"
import { invalid, type Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import { joinProblems, type PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Contact } from "../../model/Contact.js"
import type { Instant } from "../../model/Instant.js"
import { changes } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Subscribers } from "../events/Outbox.js"
import { type ContactPatch, maxItems } from "./ContactInput.js"
import { canonicalTags } from "./canonicalTags.js"
import {
  claimedHandles,
  claimedProblems,
  distinctIdentities,
  givenHandles,
  handleProblems,
  identityOf
} from "./contactHandles.js"
import type { ContactReferences } from "./contactReferences.js"
import { customFieldProblems, storedCustomFields } from "./customFields.js"
import type { ImportedContact } from "./ImportInput.js"
import { listsOverLimit } from "./listsOverLimit.js"
import { contactCreated, newContact } from "./newContact.js"
import { withOptOutTimes } from "./optOut.js"
import { updateContact } from "./updateContact.js"

/** What the import of one contact may read. */
export interface ImportContactWorld extends ContactReferences {
  readonly workspaceId: string
  /** The contact that claims the first known handle. */
  readonly known: Contact | undefined
  readonly subscribers: Subscribers
}

/** Result of the import of one contact. */
export interface Imported {
  readonly result: "created" | "updated" | "unchanged" | "skipped"
  readonly contactId: string
}

/** Handling of a contact that has one of the handles already. */
export type OnKnown = "skip" | "update"

/** The contact that claims the first known handle of an input. */
export const knownContactId = (
  workspaceId: string,
  { value }: PartialDecode<ImportedContact>,
  { addresses }: ContactReferences
): string | undefined => claimedHandles(workspaceId, givenHandles(value), addresses)[0]?.contactId

/**
 * Imports one contact. If none of its handles is known, the rules of `POST /contacts` apply. A known contact is skipped
 * or updated by {@link importedPatch}.
 */
export const importContact = (
  world: ImportContactWorld,
  decoded: PartialDecode<ImportedContact>,
  onKnown: OnKnown,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Imported>, Refusal> => {
  const { known, workspaceId } = world
  if (known === undefined) {
    return Either.map(newContact(world, decoded, now, ids), (fresh) => {
      const { marketingOptedOut, optedOut } = decoded.value
      const flags = { optedOut: optedOut === true, marketingOptedOut: marketingOptedOut === true }
      const contact = withOptOutTimes(fresh, { ...fresh, ...flags }, now)
      return {
        changes: changes(workspaceId, ...contactCreated(contact, world, now, ids)),
        result: { result: "created", contactId: contact.id }
      }
    })
  }
  const contactId = known.id
  if (onKnown === "skip") {
    return Either.map(complete(decoded), () => ({ changes: null, result: { result: "skipped", contactId } }))
  }
  return Either.gen(function* () {
    yield* acceptable(world, known, decoded)
    const patch = { value: importedPatch(known, decoded.value), problems: {} }
    const { changes } = yield* updateContact({ ...world, contact: known }, patch, now, ids)
    return { changes, result: { result: changes === null ? "unchanged" : "updated", contactId } }
  })
}

/** Fails with `validation_failed` and all problems; `details.contact_id` if a handle belongs to yet another contact. */
const acceptable = (
  { addresses, customFields, tags, workspaceId }: ImportContactWorld,
  known: Contact,
  { problems, value }: PartialDecode<ImportedContact>
): Either.Either<void, Refusal> => {
  const handles = givenHandles(value)
  const elsewhere = claimedHandles(workspaceId, handles, addresses).filter(({ contactId }) => contactId !== known.id)
  const added = handles.filter(({ handle }) => Either.isRight(handle)).map((handle) => identityOf(handle))
  const joined = {
    identities: distinctIdentities([...known.identities, ...added]),
    tags: canonicalTags([...known.tags, ...(value.tags ?? [])], tags)
  }
  const all = [
    problems,
    handleProblems(handles),
    customFieldProblems(value.customFields ?? {}, customFields),
    Object.fromEntries(listsOverLimit(known, joined).map((list) => [list, [tooMany(list)]])),
    claimedProblems(elsewhere)
  ].reduce(joinProblems)
  if (Object.keys(all).length === 0) return Either.void
  return Either.left(invalid(all, elsewhere[0] === undefined ? {} : { contact_id: elsewhere[0].contactId }))
}

const tooMany = (list: keyof typeof maxItems): string =>
  `must have at most ${maxItems[list]} items together with those that the contact has`

/**
 * The patch of a known contact by an import. Empty fields change nothing. Handles and tags are added to the existing
 * ones. An import can set an opt-out but not clear it, else an old file would undo a STOP; only a PATCH clears it.
 */
const importedPatch = (known: Contact, imported: Partial<ImportedContact>): Partial<ContactPatch> => {
  const { customFields, identities, marketingOptedOut, optedOut, tags, ...plain } = imported
  const fields: Partial<ContactPatch> = Object.fromEntries(Object.entries(plain).filter(([, value]) => value != null))
  const handles = identities ?? []
  const names = tags ?? []
  return {
    ...fields,
    ...(optedOut === true ? { optedOut } : {}),
    ...(marketingOptedOut === true ? { marketingOptedOut } : {}),
    // The previous email stays as a handle in addition to the new one.
    ...(handles.length === 0 && imported.email == null && imported.phone == null
      ? {}
      : { identities: [...known.identities.map(({ channel, handle }) => ({ channel, handle })), ...handles] }),
    ...(names.length === 0 ? {} : { tags: [...known.tags, ...names] }),
    ...(customFields == null ? {} : { customFields: storedCustomFields(customFields) })
  }
}
