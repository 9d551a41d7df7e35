import { Context, Effect, Either, Layer } from "effect"
import type { Answer } from "../../access/Answer.js"
import { administrators } from "../../access/recall.js"
import type { Contact } from "../../contacts/Contact.js"
import type { AdminContactInput, ContactPatch } from "../../contacts/ContactInput.js"
import { encodeAdminContact } from "../../contacts/ContactResource.js"
import { loadContactReferences } from "../../contacts/contactReferences.js"
import { type CreateContact, type CreateContactWorld, createContact } from "../../contacts/createContact.js"
import { type UpdateContactWorld, updateContact } from "../../contacts/updateContact.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import { subscriberLookups } from "../../events/Outbox.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import type { Condition } from "../../ports/Changes.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { workspaceProblems } from "../workspaceProblems.js"
import { type AdminContactListQuery, addressLookups, withCompanions } from "./AdminContactListQuery.js"
import { type EraseContactWorld, eraseContact } from "./eraseContact.js"
import type { MergeInput } from "./MergeInput.js"
import { type MergeContactsWorld, mergeContacts } from "./mergeContacts.js"

/** Administration of contacts (decisions.md §6, §14). An unknown id is `not_found`; so is one that was merged or erased. */
export interface AdminContacts {
  readonly create: (command: NewContact) => Effect.Effect<Answer, Refusal | CommitError>
  /** Newest first; by `handle`, the one contact of the workspace that has it. */
  readonly list: (query: Draft<AdminContactListQuery>) => Effect.Effect<Listed<Contact>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Contact, Refusal | ReadError>
  /** Refuses with `identity_already_claimed` too. */
  readonly update: (id: string, draft: Draft<ContactPatch>) => Effect.Effect<Contact, Refusal | CommitError>
  /** Folds the contact that the body names into this one, see {@link mergeContacts}. */
  readonly merge: (id: string, draft: Draft<MergeInput>) => Effect.Effect<Contact, Refusal | CommitError>
  /** Deletes it and all that is kept of it, see {@link eraseContact}: answers the contact as it was. */
  readonly erase: (id: string) => Effect.Effect<Contact, Refusal | CommitError>
}
export const AdminContacts = Context.GenericTag<AdminContacts>("@parley/core/AdminContacts")

type NewContact = CreateContact & { readonly draft: Draft<AdminContactInput> }

/** How many leads, and how many tasks, a merge moves in its own commit. */
const movedAtOnce = 500

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "contacts", id)

  const loadCreate = ({ draft, idempotency }: NewContact): Effect.Effect<CreateContactWorld, ReadError> => {
    const { workspaceId = "" } = draft.value
    const owner = administrators(workspaceId)
    return Effect.map(
      Effect.all(
        [
          storage.read({
            ...subscriberLookups(workspaceId),
            workspaces: lookupById("workspaces", draft.value.workspaceId),
            records:
              idempotency === null
                ? null
                : lookup("idempotency", { applicationId: owner.application.id, key: idempotency.key })
          }),
          loadContactReferences(storage, workspaceId, draft.value)
        ],
        { concurrency: "unbounded" }
      ),
      ([{ applications, endpoints, records, workspaces }, references]) => ({
        ...references,
        owner,
        problems: workspaceProblems(draft.value.workspaceId, workspaces[0]),
        record: records[0],
        subscribers: { endpoints, applications }
      })
    )
  }

  const loadUpdate = (
    id: string,
    { value }: Draft<ContactPatch>
  ): Effect.Effect<UpdateContactWorld | undefined, ReadError> =>
    Effect.gen(function* () {
      const contact = yield* load(id)
      if (contact === undefined) return undefined
      const { email = null, identities = null, phone = null, tags = null, customFields = null } = value
      const given = { email, identities, phone, tags, customFields }
      const [subscribers, references] = yield* Effect.all(
        [
          storage.read(subscriberLookups(contact.workspaceId)),
          loadContactReferences(storage, contact.workspaceId, given)
        ],
        { concurrency: "unbounded" }
      )
      return { ...references, contact, subscribers }
    })

  const loadMerge = (
    id: string,
    { value: { contactId } }: Draft<MergeInput>
  ): Effect.Effect<MergeContactsWorld | undefined, ReadError> =>
    Effect.gen(function* () {
      // First: whatever is theirs and changes from here on raises their versions, which the commit expects.
      const [contact, other] = yield* Effect.all([load(id), readById(storage, "contacts", contactId)], {
        concurrency: "unbounded"
      })
      if (contact === undefined) return undefined
      const ofOther = { contactId: other?.id ?? "" }
      const newest = { where: ofOther, after: null, limit: movedAtOnce }
      const [{ addresses, applications, conversations, endpoints, job, otherJob }, leads, tasks] = yield* Effect.all(
        [
          storage.read({
            ...subscriberLookups(contact.workspaceId),
            addresses: lookup("addresses", ofOther),
            conversations: lookup("conversations", ofOther),
            job: lookup("jobs", { id }),
            otherJob: lookupById("jobs", other?.id)
          }),
          storage.list({ from: "leads", ...newest }),
          storage.list({ from: "tasks", ...newest })
        ],
        { concurrency: "unbounded" }
      )
      return {
        contact,
        other,
        addresses,
        conversations,
        leads,
        tasks,
        pending: { contact: job[0], other: otherJob[0] },
        subscribers: { endpoints, applications }
      }
    })

  const loadErase = (id: string): Effect.Effect<EraseContactWorld | undefined, ReadError> =>
    Effect.gen(function* () {
      // First, as in a merge.
      const contact = yield* load(id)
      if (contact === undefined) return undefined
      const { addresses, conversations, jobs } = yield* storage.read({
        addresses: lookup("addresses", { contactId: id }),
        conversations: lookup("conversations", { contactId: id }),
        jobs: lookup("jobs", { id })
      })
      return { contact, addresses, conversations, pending: jobs[0] }
    })

  /** The contacts meant. */
  const whereOf = ({
    channel,
    handle,
    workspaceId
  }: Partial<AdminContactListQuery>): Effect.Effect<Condition<"contacts">, ReadError> => {
    if (workspaceId == null) return Effect.succeed({})
    if (handle == null) return Effect.succeed({ workspaceId })
    return Effect.map(storage.read(addressLookups(workspaceId, handle, channel ?? null)), (addresses) => ({
      id: Object.values(addresses).flatMap((found) => found.map(({ contactId }) => contactId))
    }))
  }

  return AdminContacts.of({
    create: (command) =>
      decideAndCommit(loadCreate(command), (world, now, ids) =>
        createContact(world, command, encodeAdminContact, now, ids)
      ),
    list: (query) =>
      Effect.gen(function* () {
        const { channel, handle, workspaceId } = query.value
        const list = {
          from: "contacts" as const,
          filters: { workspace_id: workspaceId, handle, channel },
          where: yield* whereOf(query.value)
        }
        return yield* listNewestFirst(storage, list, withCompanions(query))
      }),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) =>
      decideAndCommit(loadUpdate(id, draft), (world, now, ids) =>
        Either.flatMap(found(world), (world) => updateContact(world, draft, now, ids))
      ),
    merge: (id, draft) =>
      decideAndCommit(loadMerge(id, draft), (world, now, ids) =>
        Either.flatMap(found(world), (world) => mergeContacts(world, draft, now, ids))
      ),
    erase: (id) =>
      decideAndCommit(loadErase(id), (world, now, ids) =>
        Either.flatMap(found(world), (world) => eraseContact(world, now, ids))
      )
  })
})

export const layer: Layer.Layer<AdminContacts, never, Storage | Decider> = Layer.effect(AdminContacts, make)
