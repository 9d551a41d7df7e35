import { Either } from "effect"
import { invalid, type Problems, type Refusal } from "../../errors/Refusal.js"
import { joinProblems, type PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Contact } from "../../model/Contact.js"
import type { Instant } from "../../model/Instant.js"
import { type Parts, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { ContactInput } from "./ContactInput.js"
import { canonicalTags, newTags } from "./canonicalTags.js"
import { contactEvent } from "./contactEvent.js"
import {
  addressesOf,
  claimedHandles,
  claimedProblems,
  distinctIdentities,
  givenHandles,
  handleProblems,
  identityOf
} from "./contactHandles.js"
import { contactKeys } from "./contactKeys.js"
import type { ContactReferences } from "./contactReferences.js"
import { customFieldProblems, storedCustomFields } from "./customFields.js"

/** The workspace of a new contact, and the rows that its input refers to. */
export interface NewContactWorld extends ContactReferences {
  readonly workspaceId: string
}

/**
 * Builds a contact from an input (docs/reference/contacts.md#contact-fields). Fails with `validation_failed` and all
 * problems at once, `more` included. If a handle is claimed, `details.contact_id` is the contact that claims it
 * (docs/reference/contacts.md#claimed-handles).
 */
export const newContact = (
  world: NewContactWorld,
  decoded: PartialDecode<ContactInput>,
  now: Instant,
  ids: Ids,
  more: Problems = {}
): Either.Either<Contact, Refusal> => {
  const { value, problems } = decoded
  const handles = givenHandles(value)
  const claimed = claimedHandles(world.workspaceId, handles, world.addresses)
  const all = [
    problems,
    more,
    customFieldProblems(value.customFields ?? {}, world.customFields),
    handleProblems(handles),
    handles.length === 0 ? withoutHandle(problems) : {},
    claimedProblems(claimed)
  ].reduce(joinProblems)
  if (Object.keys(all).length > 0) {
    return Either.left(invalid(all, claimed[0] === undefined ? {} : { contact_id: claimed[0].contactId }))
  }
  const handleOf = (field: string): string | null => {
    const found = handles.find((one) => one.field === field)
    return found === undefined ? null : Either.getOrThrow(found.handle)
  }
  const withoutKeys: Omit<Contact, "nameKey" | "searchKey"> = {
    id: ids.next(now),
    workspaceId: world.workspaceId,
    firstName: value.firstName ?? null,
    lastName: value.lastName ?? null,
    company: value.company ?? null,
    jobTitle: value.jobTitle ?? null,
    email: handleOf("email"),
    phone: handleOf("phone"),
    country: value.country ?? null,
    city: value.city ?? null,
    language: value.language ?? null,
    timezone: value.timezone ?? null,
    lifecycleStage: value.lifecycleStage ?? "lead",
    optedOut: false,
    marketingOptedOut: false,
    optedOutAt: null,
    marketingOptedOutAt: null,
    identities: distinctIdentities(handles.map((handle) => identityOf(handle))),
    tags: canonicalTags(value.tags ?? [], world.tags),
    customFields: storedCustomFields(value.customFields ?? {}),
    visitorName: null,
    lastActivityAt: now,
    createdAt: now,
    version: 1
  }
  return Either.right({ ...withoutKeys, ...contactKeys(withoutKeys) })
}

const handleFields = ["email", "phone", "identities"] as const

/**
 * Problems of an input without any handle (docs/reference/contacts.md#at-least-one-handle). None if a handle was given
 * but is not readable.
 */
const withoutHandle = (problems: Problems): Problems =>
  Object.keys(problems).some((name) => handleFields.some((field) => name === field || name.startsWith(`${field}.`)))
    ? {}
    : Object.fromEntries(
        handleFields.map((field) => [field, ["is required unless another of email, phone and identities is given"]])
      )

/** Changes that create a contact: claims its handles and new tags, and emits `contact.created`. */
export const contactCreated = (
  contact: Contact,
  { subscribers, tags }: Pick<ContactReferences, "tags"> & { readonly subscribers: Subscribers },
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => [
  newTags(contact, tags),
  {
    claims: addressesOf(contact).map((claim) => row("addresses", claim)),
    inserts: [row("contacts", contact), ...emit(subscribers, contactEvent("contact.created", contact), now, ids)]
  }
]
