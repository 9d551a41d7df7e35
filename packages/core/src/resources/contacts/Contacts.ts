import { Context, Effect } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import { isUuid } from "../../kernel/input/Fields.js"
import { type Paged, pageBounds } from "../../kernel/input/PageQuery.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Contact } from "../../model/Contact.js"
import { Entitlements } from "../../ports/Entitlements.js"
import { type CommitError, lookup, type ReadError, Storage } from "../../ports/Storage.js"
import type { Answer } from "../access/Answer.js"
import type { Caller } from "../access/Caller.js"
import { subscriberLookups } from "../events/Outbox.js"
import type { ContactListQuery } from "./ContactListQuery.js"
import { loadContactReferences } from "./contactReferences.js"
import { contactsByName } from "./contactsByName.js"
import { type CreateContact, type CreateContactWorld, createContact } from "./createContact.js"

/** Creates contacts and reads them. */
export interface Contacts {
  /** `POST /contacts`, from the idempotency lookup to the commit (docs/reference/requests.md#order-of-checks). */
  readonly create: (caller: Caller, command: CreateContact) => Effect.Effect<Answer, Refusal | CommitError>
  /** `GET /contacts`: a page of the workspace's contacts, ordered by name. */
  readonly list: (
    caller: Caller,
    query: PartialDecode<ContactListQuery>
  ) => Effect.Effect<Paged<Contact>, Refusal | ReadError>
  /** `GET /contacts/{contact}`. Fails with `not_found` if the workspace has no such contact. */
  readonly get: (caller: Caller, id: string) => Effect.Effect<Contact, Refusal | ReadError>
}
export const Contacts = Context.GenericTag<Contacts>("@parley/core/Contacts")

const recordLookup = ({ application }: Caller, { idempotency }: CreateContact) =>
  lookup("idempotency", { applicationId: application.id, key: idempotency.key })

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const entitlements = yield* Entitlements
  const { decideAndCommit } = yield* Decider

  const loadCreate = (caller: Caller, command: CreateContact): Effect.Effect<CreateContactWorld, ReadError> => {
    const workspaceId = caller.workspace.id
    return Effect.map(
      Effect.all(
        [
          storage.read({
            ...subscriberLookups(workspaceId),
            records: recordLookup(caller, command)
          }),
          loadContactReferences(storage, workspaceId, command.decoded.value)
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

  const createOnce = (caller: Caller, command: CreateContact): Effect.Effect<Answer, Refusal | CommitError> =>
    decideAndCommit(
      loadCreate(caller, command),
      (world, now, ids) => createContact(world, command, now, ids),
      () => entitlements.check(caller.application, "contacts.create")
    )

  return Contacts.of({
    // The lookups of one load are not one snapshot. A load that runs beside the first request with its key may miss the
    // key's record and see the contact: the refusal "belongs to another contact" would then be false.
    create: (caller, command) =>
      Effect.catchTag(createOnce(caller, command), "Refusal", (refusal) =>
        refusal.code === "validation_failed"
          ? Effect.flatMap(storage.read({ records: recordLookup(caller, command) }), ({ records }) =>
              records.length === 0 ? Effect.fail(refusal) : createOnce(caller, command)
            )
          : Effect.fail(refusal)
      ),
    list: (caller, decoded) =>
      Effect.gen(function* () {
        const query = yield* complete(decoded)
        const slice = yield* contactsByName(storage, caller.workspace.id, query, pageBounds(query))
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
