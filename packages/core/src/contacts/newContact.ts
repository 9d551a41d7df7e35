import { Either } from "effect"
import { invalid, type Problems, type Refusal } from "../errors/Refusal.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { type Draft, joinProblems } from "../input/Draft.js"
import { type Parts, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Contact } from "./Contact.js"
import type { ContactInput } from "./ContactInput.js"
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
import { ensuredTags, spelledTags } from "./spelledTags.js"

/** Where a contact is to be, and what its input refers to there. */
export interface NewContactWorld extends ContactReferences {
  readonly workspaceId: string
}

/**
 * A contact as an input describes it (spec, Contact; decisions.md §6), or 422 `validation_failed` with every problem at once,
 * `more` among them; where a handle belongs to somebody, `details.contact_id` says to whom.
 */
export const newContact = (
  world: NewContactWorld,
  draft: Draft<ContactInput>,
  now: Instant,
  ids: Ids,
  more: Problems = {}
): Either.Either<Contact, Refusal> => {
  const { value, problems } = draft
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
    identities: distinctIdentities(handles.map((handle) => identityOf(handle))),
    tags: spelledTags(value.tags ?? [], world.tags),
    customFields: storedCustomFields(value.customFields ?? {}),
    visitorName: null,
    lastActivityAt: now,
    createdAt: now,
    version: 1
  }
  return Either.right({ ...withoutKeys, ...contactKeys(withoutKeys) })
}

const handleFields = ["email", "phone", "identities"] as const

/** That no handle is given (rule 1), unless one is that could not be read. */
const withoutHandle = (problems: Problems): Problems =>
  Object.keys(problems).some((name) => handleFields.some((field) => name === field || name.startsWith(`${field}.`)))
    ? {}
    : Object.fromEntries(
        handleFields.map((field) => [field, ["is required unless another of email, phone and identities is given"]])
      )

/** What makes a new contact so: its handles are claimed, and the whole workspace hears of it. */
export const contactCreated = (
  contact: Contact,
  subscribers: Subscribers,
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => [
  ensuredTags(contact),
  {
    claims: addressesOf(contact).map((claim) => row("addresses", claim)),
    inserts: [row("contacts", contact), ...emit(subscribers, contactEvent("contact.created", contact), now, ids)]
  }
]
