import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { differences } from "../../kernel/differences.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems, requireExpected } from "../../kernel/input/Patch.js"
import type { Contact, Identity } from "../../model/Contact.js"
import type { Instant } from "../../model/Instant.js"
import { changes, expect, type Parts, remove, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { ContactPatch } from "./ContactInput.js"
import { canonicalTags, newTags } from "./canonicalTags.js"
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
import { withOptOutTimes } from "./optOut.js"
import { lastHandleProblems, patchedIdentities } from "./patchedIdentities.js"

/** What a change of a contact may read. */
export interface UpdateContactWorld extends ContactReferences {
  readonly contact: Contact
  readonly subscribers: Subscribers
}

/**
 * Changes a contact (docs/reference/contacts.md#changing-a-contact). The same commit claims its new handles and tags,
 * releases its removed handles and emits `contact.updated`. Writes nothing without a change. Fails with
 * `identity_already_claimed` and `details.contact_id` if another contact has a handle, and with 422 if the last handle
 * would be removed.
 */
export const updateContact = (
  world: UpdateContactWorld,
  decoded: PartialDecode<ContactPatch>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Contact>, Refusal> =>
  Either.gen(function* () {
    const { contact } = world
    const { id, workspaceId, version } = contact
    yield* requireExpected(decoded, contact)
    const handles = givenHandles(handleFields(decoded.value))
    const wrong = handleProblems(handles)
    const identities = Object.keys(wrong).length === 0 ? patchedIdentities(contact, decoded.value, handles) : null
    const patch = yield* complete(
      decoded,
      changeProblems({ workspace_id: [workspaceId, decoded.value.workspaceId] }),
      customFieldProblems(decoded.value.customFields ?? {}, world.customFields),
      wrong,
      identities === null ? {} : lastHandleProblems(contact, decoded.value, identities)
    )
    const claimed = claimedHandles(workspaceId, handles, world.addresses).filter(({ contactId }) => contactId !== id)
    if (claimed[0] !== undefined) {
      const details = { ...claimedProblems(claimed), contact_id: claimed[0].contactId }
      return yield* Either.left(refuse("identity_already_claimed", details))
    }
    const updated = withOptOutTimes(contact, patched(world, patch, identities ?? contact.identities), now)
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
        newTags(result, world.tags, contact.tags),
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
  const { workspaceId: _, expect: _expected, customFields, email, phone, tags, identities: _given, ...plain } = patch
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
    tags: tags === undefined ? contact.tags : canonicalTags(tags ?? [], world.tags),
    customFields:
      customFields === undefined
        ? contact.customFields
        : customFields === null
          ? {}
          : storedCustomFields({ ...contact.customFields, ...customFields })
  }
  return { ...withoutKeys, ...contactKeys(withoutKeys) }
}

/** Claims the new addresses of a contact and releases the removed ones. */
const movedAddresses = (before: Contact, after: Contact): Parts => {
  if (after.identities === before.identities) return {}
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
