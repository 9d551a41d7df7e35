import { Context, Effect, Either, Layer } from "effect"
import type { Answer } from "../access/Answer.js"
import type { Caller } from "../access/Caller.js"
import { Decider } from "../Decider.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { subscriberLookups } from "../events/Outbox.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import { isUuid } from "../input/Fields.js"
import { type Paged, placeOf } from "../input/PageQuery.js"
import { Entitlements } from "../ports/Entitlements.js"
import { type CommitError, type Lookup, lookup, type ReadError, Storage } from "../ports/Storage.js"
import type { Contact } from "./Contact.js"
import type { ContactListQuery } from "./ContactListQuery.js"
import { contactFilter } from "./contactFilter.js"
import { type CreateContact, type CreateContactWorld, createContact, givenHandles } from "./createContact.js"
import { folded } from "./folded.js"
import { addressOf } from "./Handle.js"

/** Creates contacts and reads them. */
export interface Contacts {
  /** `POST /contacts`, from the idempotency check to the commit (decisions.md §2, steps 7 to 11). */
  readonly create: (caller: Caller, command: CreateContact) => Effect.Effect<Answer, Refusal | CommitError>
  /** `GET /contacts`: a page of the workspace's contacts, by name. */
  readonly list: (caller: Caller, query: Draft<ContactListQuery>) => Effect.Effect<Paged<Contact>, Refusal | ReadError>
  /** `GET /contacts/{contact}`: `not_found` where the workspace has no such contact. */
  readonly get: (caller: Caller, id: string) => Effect.Effect<Contact, Refusal | ReadError>
}
export const Contacts = Context.GenericTag<Contacts>("@parley/core/Contacts")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const entitlements = yield* Entitlements
  const { decideAndCommit } = yield* Decider

  const loadCreate = (
    caller: Caller,
    { draft, idempotency }: CreateContact
  ): Effect.Effect<CreateContactWorld, ReadError> => {
    const workspaceId = caller.workspace.id
    const addresses = givenHandles(draft).flatMap(({ channel, handle }) =>
      Either.isLeft(handle) ? [] : [lookup("addresses", { workspaceId, ...addressOf(channel, handle.right) })]
    )
    const tags = (draft.value.tags ?? []).map((name) => lookup("tags", { workspaceId, folded: folded(name) }))
    return Effect.map(
      Effect.all(
        [
          storage.read({
            ...subscriberLookups(workspaceId),
            records: lookup("idempotency", { applicationId: caller.application.id, key: idempotency.key }),
            customFields: draft.value.customFields == null ? null : lookup("customFields", { workspaceId })
          }),
          storage.read(numbered(addresses)),
          storage.read(numbered(tags))
        ],
        { concurrency: "unbounded" }
      ),
      ([found, addresses, tags]) => ({
        caller,
        record: found.records[0],
        addresses: Object.values(addresses).flat(),
        tags: Object.values(tags).flat(),
        customFields: found.customFields,
        subscribers: { endpoints: found.endpoints, applications: found.applications }
      })
    )
  }

  return Contacts.of({
    create: (caller, command) =>
      decideAndCommit(
        loadCreate(caller, command),
        (world, now, ids) => createContact(world, command, now, ids),
        () => entitlements.check(caller.application, "contacts.create")
      ),
    list: (caller, draft) =>
      Effect.gen(function* () {
        const query = yield* complete(draft)
        const workspaceId = caller.workspace.id
        const { tags } = yield* storage.read({
          tags: query.tag === null ? null : lookup("tags", { workspaceId, folded: folded(query.tag) })
        })
        const filter = contactFilter(workspaceId, query, tags[0])
        const slice = filter === null ? { rows: [], total: 0 } : yield* storage.listContacts(filter, placeOf(query))
        return { ...slice, page: query.page, perPage: query.perPage }
      }),
    get: (caller, id) =>
      Effect.gen(function* () {
        const { contacts } = yield* storage.read({
          contacts: isUuid(id) ? lookup("contacts", { id: id.toLowerCase() }) : null
        })
        const contact = contacts[0]
        return contact?.workspaceId === caller.workspace.id ? contact : yield* refuse("not_found")
      })
  })
})

const numbered = <T extends "addresses" | "tags">(
  lookups: ReadonlyArray<Lookup<T>>
): { readonly [index: string]: Lookup<T> } => Object.fromEntries(lookups.map((one, index) => [String(index), one]))

export const layer: Layer.Layer<Contacts, never, Storage | Entitlements | Decider> = Layer.effect(Contacts, make)
