import { Context, Effect, Layer } from "effect"
import type { Answer, Idempotency } from "../access/Answer.js"
import type { Caller } from "../access/Caller.js"
import { Decider } from "../Decider.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { subscriberLookups } from "../events/Outbox.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import { isUuid } from "../input/Fields.js"
import { type Paged, placeOf } from "../input/PageQuery.js"
import { Entitlements } from "../ports/Entitlements.js"
import { type CommitError, lookup, type ReadError, Storage } from "../ports/Storage.js"
import type { Contact } from "./Contact.js"
import type { ContactListQuery } from "./ContactListQuery.js"
import { encodeContact } from "./ContactResource.js"
import { contactFilter } from "./contactFilter.js"
import { loadContactReferences } from "./contactReferences.js"
import { type CreateContact, type CreateContactWorld, createContact } from "./createContact.js"
import { folded } from "./folded.js"

/** Creates contacts and reads them. */
export interface Contacts {
  /** `POST /contacts`, from the idempotency check to the commit (decisions.md §2, steps 7 to 11). */
  readonly create: (caller: Caller, command: KeyedContact) => Effect.Effect<Answer, Refusal | CommitError>
  /** `GET /contacts`: a page of the workspace's contacts, by name. */
  readonly list: (caller: Caller, query: Draft<ContactListQuery>) => Effect.Effect<Paged<Contact>, Refusal | ReadError>
  /** `GET /contacts/{contact}`: `not_found` where the workspace has no such contact. */
  readonly get: (caller: Caller, id: string) => Effect.Effect<Contact, Refusal | ReadError>
}
export const Contacts = Context.GenericTag<Contacts>("@parley/core/Contacts")

type KeyedContact = CreateContact & { readonly idempotency: Idempotency }

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const entitlements = yield* Entitlements
  const { decideAndCommit } = yield* Decider

  const loadCreate = (
    caller: Caller,
    { draft, idempotency }: KeyedContact
  ): Effect.Effect<CreateContactWorld, ReadError> => {
    const workspaceId = caller.workspace.id
    return Effect.map(
      Effect.all(
        [
          storage.read({
            ...subscriberLookups(workspaceId),
            records: lookup("idempotency", { applicationId: caller.application.id, key: idempotency.key })
          }),
          loadContactReferences(storage, workspaceId, draft.value)
        ],
        { concurrency: "unbounded" }
      ),
      ([{ applications, endpoints, records }, references]) => ({
        ...references,
        owner: caller,
        record: records[0],
        subscribers: { endpoints, applications }
      })
    )
  }

  return Contacts.of({
    create: (caller, command) =>
      decideAndCommit(
        loadCreate(caller, command),
        (world, now, ids) => createContact(world, command, encodeContact, now, ids),
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

export const layer: Layer.Layer<Contacts, never, Storage | Entitlements | Decider> = Layer.effect(Contacts, make)
