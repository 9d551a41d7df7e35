import { Either } from "effect"
import type { Answer, Idempotency } from "../access/Answer.js"
import type { Caller } from "../access/Caller.js"
import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import { recall, remember } from "../access/recall.js"
import type { Decision } from "../Decider.js"
import { invalid, type Refusal } from "../errors/Refusal.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { type Draft, joinProblems } from "../input/Draft.js"
import { changes, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Address, Contact, CustomField, Identity, Tag } from "./Contact.js"
import type { ContactInput } from "./ContactInput.js"
import { encodeContact } from "./ContactResource.js"
import { contactEvent } from "./contactEvent.js"
import { contactKeys } from "./contactKeys.js"
import { customFieldProblems, storedCustomFields } from "./customFields.js"
import { folded } from "./folded.js"
import { address, normaliseHandle } from "./Handle.js"

/** All that the rules of `POST /contacts` may look at. */
export interface CreateContactWorld {
  readonly caller: Caller
  readonly record: IdempotencyRecord | undefined
  /** Those of the given handles that belong to somebody. */
  readonly addresses: ReadonlyArray<Address>
  /** Those of the given tags that exist. */
  readonly tags: ReadonlyArray<Tag>
  readonly customFields: ReadonlyArray<CustomField>
  readonly subscribers: Subscribers
}

/** One `POST /contacts`. */
export interface CreateContact {
  readonly draft: Draft<ContactInput>
  readonly idempotency: Idempotency
}

/** A handle of the input: where it stands, and what it normalises to, or why it does not. */
export interface GivenHandle {
  /** Its field on the wire, such as `identities.0.handle`. */
  readonly field: string
  readonly channel: Identity["channel"]
  readonly handle: Either.Either<string, string>
}

/** Every handle that an input gives, the identities first: `email` and `phone` are identities too (decisions.md §6). */
export const givenHandles = ({ value }: Draft<ContactInput>): ReadonlyArray<GivenHandle> => [
  ...(value.identities ?? []).map(({ channel, handle }, index) => ({
    field: `identities.${index}.handle`,
    channel,
    handle: normaliseHandle(channel, handle)
  })),
  ...(["email", "phone"] as const).flatMap((channel) => {
    const handle = value[channel]
    return handle == null ? [] : [{ field: channel, channel, handle: normaliseHandle(channel, handle) }]
  })
]

/** The rules of `POST /contacts` (spec, Contact; decisions.md §6), as a value. */
export const createContact = (
  world: CreateContactWorld,
  command: CreateContact,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.flatMap(
    recall(world.record, command.idempotency, now),
    (recalled): Either.Either<Decision<Answer>, Refusal> => {
      if (recalled !== null) return Either.right({ changes: null, result: recalled.answer })
      const problem = problemsOf(world, command.draft)
      if (problem !== null) return Either.left(problem)
      const contact = newContact(world, command.draft.value, givenHandles(command.draft), now, ids)
      const { workspaceId } = contact
      const answer = { status: 201, body: JSON.stringify({ data: encodeContact(contact) }) }
      return Either.right({
        changes: changes(workspaceId, remember(world.record, world.caller, command.idempotency, answer, now), {
          claims: addressesOf(contact).map((claim) => row("addresses", claim)),
          ensures: contact.tags.map((name) => row("tags", { workspaceId, folded: folded(name), name })),
          inserts: [
            row("contacts", contact),
            ...emit(world.subscribers, contactEvent("contact.created", contact), now, ids)
          ]
        }),
        result: { ...answer, replayed: false }
      })
    }
  )

const problemsOf = (world: CreateContactWorld, draft: Draft<ContactInput>): Refusal | null => {
  const { value, problems } = draft
  const handles = givenHandles(draft)
  const found = [problems, customFieldProblems(value.customFields ?? {}, world.customFields)]
  for (const { field, handle } of handles) if (Either.isLeft(handle)) found.push({ [field]: [handle.left] })
  const given = ["email", "phone", "identities"] as const
  if (handles.length === 0 && given.every((field) => problems[field] === undefined && !hasNested(problems, field))) {
    found.push(
      Object.fromEntries(
        given.map((field) => [field, ["is required unless another of email, phone and identities is given"]])
      )
    )
  }
  const claimed = handles.flatMap(({ field, channel, handle }) => {
    const known = Either.isLeft(handle) ? undefined : findAddress(world, channel, handle.right)
    return known === undefined ? [] : [{ field, contactId: known.contactId }]
  })
  for (const { field } of claimed) found.push({ [field]: ["belongs to another contact"] })
  const all = found.reduce(joinProblems)
  if (Object.keys(all).length === 0) return null
  return invalid(all, claimed[0] === undefined ? {} : { contact_id: claimed[0].contactId })
}

const hasNested = (problems: { readonly [field: string]: unknown }, field: string): boolean =>
  Object.keys(problems).some((name) => name.startsWith(`${field}.`))

const findAddress = (world: CreateContactWorld, channel: Identity["channel"], handle: string): Address | undefined => {
  const wanted = address(world.caller.workspace.id, channel, handle, "")
  return world.addresses.find((known) => known.space === wanted.space && known.handle === wanted.handle)
}

/** The unique claims of a contact: one where two identities are one address. */
const addressesOf = (contact: Contact): ReadonlyArray<Address> => {
  const claims = contact.identities.map(({ channel, handle }) =>
    address(contact.workspaceId, channel, handle, contact.id)
  )
  return [...new Map(claims.map((claim) => [`${claim.space} ${claim.handle}`, claim])).values()]
}

const newContact = (
  world: CreateContactWorld,
  value: Partial<ContactInput>,
  handles: ReadonlyArray<GivenHandle>,
  now: Instant,
  ids: Ids
): Contact => {
  const normalised = new Map(
    handles.map(({ field, channel, handle }) => [
      field,
      { channel, handle: Either.getOrThrow(handle), displayName: null }
    ])
  )
  const identities = [
    ...new Map(
      [...normalised.values()].map((identity) => [`${identity.channel} ${identity.handle}`, identity])
    ).values()
  ]
  const withoutKeys: Omit<Contact, "nameKey" | "searchKey"> = {
    id: ids.next(now),
    workspaceId: world.caller.workspace.id,
    firstName: value.firstName ?? null,
    lastName: value.lastName ?? null,
    company: value.company ?? null,
    jobTitle: value.jobTitle ?? null,
    email: normalised.get("email")?.handle ?? null,
    phone: normalised.get("phone")?.handle ?? null,
    country: value.country ?? null,
    city: value.city ?? null,
    language: value.language ?? null,
    timezone: value.timezone ?? null,
    lifecycleStage: value.lifecycleStage ?? "lead",
    optedOut: false,
    marketingOptedOut: false,
    identities,
    tags: spelledTags(value.tags ?? [], world.tags),
    customFields: storedCustomFields(value.customFields ?? {}),
    visitorName: null,
    lastActivityAt: now,
    createdAt: now,
    version: 1
  }
  return { ...withoutKeys, ...contactKeys(withoutKeys) }
}

/** Tags compare by their folded name; the first spelling in the workspace is kept (decisions.md §6). */
export const spelledTags = (given: ReadonlyArray<string>, known: ReadonlyArray<Tag>): ReadonlyArray<string> => {
  const spellings = new Map(known.map((tag) => [tag.folded, tag.name]))
  const chosen = new Map<string, string>()
  for (const name of given) {
    const key = folded(name)
    if (!chosen.has(key)) chosen.set(key, spellings.get(key) ?? name)
  }
  return [...chosen.values()]
}
