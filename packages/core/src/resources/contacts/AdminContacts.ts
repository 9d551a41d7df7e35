import { Context, Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Contact } from "../../model/Contact.js"
import { type Condition, changes } from "../../ports/Changes.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { subscriberLookups } from "../events/Outbox.js"
import { type AdminContactListQuery, addressLookups, requireHandleFields } from "./AdminContactListQuery.js"
import type { AdminContactInput, ContactPatch } from "./ContactInput.js"
import type { ContactSearchQuery } from "./ContactListQuery.js"
import { channelAddresses } from "./channelAddresses.js"
import { loadContactReferences } from "./contactReferences.js"
import { type EraseContactWorld, eraseContact } from "./eraseContact.js"
import type { MergeInput } from "./MergeInput.js"
import { type MergeContactsWorld, mergeContacts } from "./mergeContacts.js"
import { contactCreated, newContact } from "./newContact.js"
import { searchContacts } from "./searchContacts.js"
import { type UpdateContactWorld, updateContact } from "./updateContact.js"

/**
 * Administration of contacts (docs/reference/administration.md#contact-administration). Fails with `not_found` for an
 * unknown, merged or erased id.
 */
export interface AdminContacts {
  readonly create: (decoded: PartialDecode<AdminContactInput>) => Effect.Effect<Contact, Refusal | CommitError>
  /** Newest first. With `handle`: the one contact of the workspace that claims it. */
  readonly list: (query: PartialDecode<AdminContactListQuery>) => Effect.Effect<Listed<Contact>, Refusal | ReadError>
  /** A workspace's contacts in order of name, with the filters of `GET /contacts` of the interface. */
  readonly search: (query: PartialDecode<ContactSearchQuery>) => Effect.Effect<Listed<Contact>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Contact, Refusal | ReadError>
  /** Also fails with `identity_already_claimed`. */
  readonly update: (id: string, decoded: PartialDecode<ContactPatch>) => Effect.Effect<Contact, Refusal | CommitError>
  /** Merges the contact that the body names into this one, see {@link mergeContacts}. */
  readonly merge: (id: string, decoded: PartialDecode<MergeInput>) => Effect.Effect<Contact, Refusal | CommitError>
  /** Deletes the contact and its data, see {@link eraseContact}. Returns the contact as it was. */
  readonly erase: (id: string) => Effect.Effect<Contact, Refusal | CommitError>
}
export const AdminContacts = Context.GenericTag<AdminContacts>("@parley/core/AdminContacts")

/** Maximum number of leads, and of tasks, that the commit of a merge moves. A job moves the rest. */
const movedAtOnce = 500

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { channels } = yield* ChannelProviders
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "contacts", id)

  const loadCreate = ({ value }: PartialDecode<AdminContactInput>) => {
    const { workspaceId = "" } = value
    return Effect.map(
      Effect.all(
        [
          storage.read({
            ...subscriberLookups(workspaceId),
            workspaces: lookupById("workspaces", value.workspaceId)
          }),
          loadContactReferences(storage, workspaceId, value)
        ],
        { concurrency: "unbounded" }
      ),
      ([{ applications, endpoints, workspaces }, references]) => ({
        ...references,
        workspaceId,
        problems: workspaceProblems(value.workspaceId, workspaces[0]),
        subscribers: { endpoints, applications }
      })
    )
  }

  const loadUpdate = (
    id: string,
    { value }: PartialDecode<ContactPatch>
  ): Effect.Effect<UpdateContactWorld, Refusal | ReadError> =>
    Effect.gen(function* () {
      const contact = yield* orNotFound(yield* load(id))
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
    { value: { contactId } }: PartialDecode<MergeInput>
  ): Effect.Effect<MergeContactsWorld, Refusal | ReadError> =>
    Effect.gen(function* () {
      // Load the contacts first: any later change to their data bumps their versions, which the commit expects.
      const [contact, other] = yield* Effect.all(
        [Effect.flatMap(load(id), orNotFound), readById(storage, "contacts", contactId)],
        { concurrency: "unbounded" }
      )
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

  const loadErase = (id: string): Effect.Effect<EraseContactWorld, Refusal | ReadError> =>
    Effect.gen(function* () {
      // First, for the same reason as in a merge.
      const contact = yield* orNotFound(yield* load(id))
      const { workspaceId } = contact
      const [{ addresses, conversations, jobs }, ofHandles] = yield* Effect.all(
        [
          storage.read({
            addresses: lookup("addresses", { contactId: id }),
            conversations: lookup("conversations", { contactId: id }),
            jobs: lookup("jobs", { id })
          }),
          // A conversation follows its handle to another contact only with the next message.
          storage.read(
            Object.fromEntries(
              channelAddresses(contact, channels).map(({ channel, handle }) => [
                `${channel} ${handle}`,
                lookup("conversations", { workspaceId, channel, handle })
              ])
            )
          )
        ],
        { concurrency: "unbounded" }
      )
      const notYet = Object.values(ofHandles)
        .flat()
        .filter(({ contactId }) => contactId !== id)
      return { contact, addresses, conversations: [...conversations, ...notYet], pending: jobs[0] }
    })

  /** The filter for the requested contacts. */
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
    create: (decoded) =>
      decideAndCommit(loadCreate(decoded), (world, now, ids) =>
        Either.map(newContact(world, decoded, now, ids, world.problems), (contact) => ({
          changes: changes(world.workspaceId, ...contactCreated(contact, world, now, ids)),
          result: contact
        }))
      ),
    list: (query) =>
      Effect.gen(function* () {
        const { channel, handle, workspaceId } = query.value
        const list = {
          from: "contacts" as const,
          filters: { workspace_id: workspaceId, handle, channel },
          where: yield* whereOf(query.value)
        }
        return yield* listNewestFirst(storage, list, requireHandleFields(query))
      }),
    search: (query) => searchContacts(storage, query),
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) =>
      decideAndCommit(loadUpdate(id, decoded), (world, now, ids) => updateContact(world, decoded, now, ids)),
    merge: (id, decoded) =>
      decideAndCommit(loadMerge(id, decoded), (world, now, ids) => mergeContacts(world, decoded, now, ids)),
    erase: (id) => decideAndCommit(loadErase(id), eraseContact)
  })
})
