import { Either } from "effect"
import type { Decision } from "../Decider.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import { changeProblems } from "../input/Patch.js"
import { changes, expect, type Parts, remove, row, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Contact, Identity } from "./Contact.js"
import type { ContactPatch } from "./ContactInput.js"
import { contactEvent } from "./contactEvent.js"
import {
  addressesOf,
  claimedHandles,
  claimedProblems,
  givenHandles,
  handleProblems,
  isSameAddress
} from "./contactHandles.js"
import { contactKeys } from "./contactKeys.js"
import type { ContactReferences } from "./contactReferences.js"
import { customFieldProblems, storedCustomFields } from "./customFields.js"
import { lastHandleProblems, patchedIdentities } from "./patchedIdentities.js"
import { ensuredTags, spelledTags } from "./spelledTags.js"

/** All that a change of a contact may look at. */
export interface UpdateContactWorld extends ContactReferences {
  readonly contact: Contact
  readonly subscribers: Subscribers
}

/**
 * Changes a contact (decisions.md §6). Its handles are claimed and given back in the same commit, and the whole workspace
 * hears of it, unless nothing changed. A handle of another contact: 409 `identity_already_claimed`, with
 * `details.contact_id`; a contact whose last handle would go: 422.
 */
export const updateContact = (
  world: UpdateContactWorld,
  draft: Draft<ContactPatch>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Contact>, Refusal> =>
  Either.gen(function* () {
    const { contact } = world
    const { id, workspaceId, version } = contact
    const handles = givenHandles(handleFields(draft.value))
    const wrong = handleProblems(handles)
    const identities = Object.keys(wrong).length === 0 ? patchedIdentities(contact, draft.value, handles) : null
    const patch = yield* complete(
      draft,
      changeProblems({ workspace_id: [workspaceId, draft.value.workspaceId] }),
      customFieldProblems(draft.value.customFields ?? {}, world.customFields),
      wrong,
      identities === null ? {} : lastHandleProblems(contact, draft.value, identities)
    )
    const claimed = claimedHandles(workspaceId, handles, world.addresses).filter(({ contactId }) => contactId !== id)
    if (claimed[0] !== undefined) {
      const details = { ...claimedProblems(claimed), contact_id: claimed[0].contactId }
      return yield* Either.left(refuse("identity_already_claimed", details))
    }
    const updated = patched(world, patch, identities ?? contact.identities)
    const values = differences(contact, updated)
    if (Object.keys(values).length === 0) return { changes: null, result: contact }
    const result: Contact = { ...updated, version: version + 1 }
    return {
      changes: changes(
        workspaceId,
        {
          expects: [expect("contacts", { id }, { version })],
          sets: [set("contacts", { id }, values)],
          inserts: emit(world.subscribers, contactEvent("contact.updated", result), now, ids)
        },
        values.tags === undefined ? {} : ensuredTags(result),
        movedAddresses(contact, result)
      ),
      result
    }
  })

type Patched = Partial<ContactPatch>

const handleFields = ({ email, identities, phone }: Patched) => ({
  email: email ?? null,
  phone: phone ?? null,
  identities: identities ?? null
})

const patched = (world: UpdateContactWorld, patch: ContactPatch, identities: ReadonlyArray<Identity>): Contact => {
  const { contact } = world
  const { workspaceId: _, customFields, email, phone, tags, identities: _given, ...plain } = patch
  const handleOf = (channel: "email" | "phone", given: string | null | undefined) => {
    if (given == null) return given === null ? null : contact[channel]
    const [handle] = givenHandles({ [channel]: given })
    return handle === undefined ? null : Either.getOrThrow(handle.handle)
  }
  const withoutKeys = {
    ...contact,
    ...plain,
    email: handleOf("email", email),
    phone: handleOf("phone", phone),
    identities,
    tags: tags === undefined ? contact.tags : spelledTags(tags ?? [], world.tags),
    customFields:
      customFields === undefined
        ? contact.customFields
        : customFields === null
          ? {}
          : storedCustomFields({ ...contact.customFields, ...customFields })
  }
  return { ...withoutKeys, ...contactKeys(withoutKeys) }
}

/** The columns in which two states of a contact differ, as the later one has them. */
const differences = (before: Contact, after: Contact): Partial<Contact> =>
  Object.fromEntries(Object.entries(after).filter(([column, value]) => !isSame(value, before[column as keyof Contact])))

const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)

/** Claims the addresses that a contact has now and had not, and gives back those that it had. */
const movedAddresses = (before: Contact, after: Contact): Parts => {
  const had = addressesOf(before)
  const has = addressesOf(after)
  const gone = had
    .filter((one) => !has.some((other) => isSameAddress(one, other)))
    .map(({ contactId: _, ...key }) => key)
  return {
    claims: has.filter((one) => !had.some((other) => isSameAddress(one, other))).map((one) => row("addresses", one)),
    expects: gone.map((key) => expect("addresses", key, { contactId: before.id })),
    deletes: gone.map((key) => remove("addresses", key))
  }
}
