import { Context, Effect, Schema } from "effect"
import type { Refusal } from "../../../errors/Refusal.js"
import { cursors } from "../../../kernel/input/Cursor.js"
import { type Listed, listByCursor } from "../../../kernel/input/CursorList.js"
import { isUuid } from "../../../kernel/input/Fields.js"
import type { PartialDecode } from "../../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../../kernel/orNotFound.js"
import type { Contact } from "../../../model/Contact.js"
import type { Event, EventType } from "../../../model/Event.js"
import type { Instant } from "../../../model/Instant.js"
import { type ReadError, readById, Storage } from "../../../ports/Storage.js"
import type { ContactHistoryQuery } from "./ContactHistoryResource.js"
import { type ContactSnapshot, contactChange, contactSnapshot } from "./contactSnapshots.js"
import type { HistoryEntry } from "./HistoryEntry.js"
import {
  botColumns,
  botEntry,
  businessEventColumns,
  businessEventEntry,
  contactEntry,
  conversationEntry,
  conversationEventEntry,
  conversationEvents,
  idTime,
  leadEntry,
  leadEventEntry,
  mergedContactEntry,
  messageColumns,
  messageEntry,
  runColumns,
  runEntry,
  taskEntry
} from "./historyEntries.js"

/**
 * What happened with a contact, newest first, read from the rows that other rules write
 * (docs/reference/administration.md#contact-history). Fails with `not_found` for an unknown, merged or erased id.
 */
export interface AdminContactHistory {
  readonly list: (
    contactId: string,
    query: PartialDecode<ContactHistoryQuery>
  ) => Effect.Effect<Listed<HistoryEntry>, Refusal | ReadError>
}
export const AdminContactHistory = Context.GenericTag<AdminContactHistory>("@parley/core/AdminContactHistory")

/** Maximum number of conversations, and of leads, whose messages and events are read. Bounds the queries of a page. */
const maxSubjects = 50

/** Number of earlier events that are read to find the state of a contact before the last change of a page. */
const maxEarlier = 50

/** Maximum number of queries of a page that run at once. */
const concurrency = 8

/** The part of a history that one page shows: entries with a lower id than `after`. */
interface Part {
  readonly after: string | null
  readonly since?: Instant
  readonly limit: number
}

type Source = Effect.Effect<ReadonlyArray<HistoryEntry>, ReadError>

export const make = Effect.map(Storage, (storage) => {
  const eventsOf = (subjectId: string, type: ReadonlyArray<EventType>, part: Part) =>
    storage.list({ from: "events", where: { subjectId, type }, ...part })

  /** The changes of the contact, and of contacts that were merged into it. */
  const contactChanges = (contact: Contact, part: Part): Source =>
    Effect.gen(function* () {
      // One more, because the creation of the contact itself is no entry: its row is.
      const limit = part.limit + 1
      const events = yield* eventsOf(contact.id, ["contact.created", "contact.updated"], { ...part, limit })
      const last = events.at(-1)
      const earlier =
        last === undefined
          ? []
          : yield* eventsOf(contact.id, ["contact.created", "contact.updated"], { after: last.id, limit: maxEarlier })
      const snapshots = [...events, ...earlier].flatMap((event) => contactSnapshot(event) ?? [])
      const shown = snapshots.filter(({ event }) => last !== undefined && event.id >= last.id)
      return yield* Effect.forEach(
        shown.filter(({ contactId, event }) => event.type === "contact.updated" || contactId !== contact.id),
        (snapshot) => changeEntry(snapshot, snapshots),
        { concurrency }
      )
    })

  const changeEntry = (
    snapshot: ContactSnapshot,
    all: ReadonlyArray<ContactSnapshot>
  ): Effect.Effect<HistoryEntry, ReadError> => {
    const { contactId, event } = snapshot
    if (event.type === "contact.created") return Effect.succeed(mergedContactEntry(event, contactId))
    const before = all.find((other) => other.contactId === contactId && other.event.id < event.id) ?? null
    return Effect.map(isMerge(event, contactId), (merges) => contactChange(snapshot, before, merges))
  }

  /** Whether the event's commit merged a contact: it wrote an audit entry with an id of the same millisecond. */
  const isMerge = ({ id, workspaceId }: Event, contactId: string): Effect.Effect<boolean, ReadError> => {
    const where = { workspaceId, action: "contact.merged", subjectId: contactId }
    const after = `${id.slice(0, 13)}-ffff-ffff-ffffffffffff`
    const since = idTime(id)
    return Effect.map(storage.list({ from: "auditLog", where, after, since, limit: 1 }), ({ length }) => length > 0)
  }

  const sourcesOf = (contact: Contact, part: Part): Effect.Effect<ReadonlyArray<Source>, ReadError> =>
    Effect.gen(function* () {
      const ofContact = { contactId: contact.id }
      const anyConversation = { connectionIds: null, contactId: contact.id, status: null }
      const [conversations, leads] = yield* Effect.all(
        [
          storage.listConversations(anyConversation, null, maxSubjects),
          storage.list({ from: "leads", where: ofContact, after: null, limit: maxSubjects })
        ],
        { concurrency }
      )
      const rows = Effect.succeed([contactEntry(contact), ...conversations.map(conversationEntry)])
      return [
        rows,
        contactChanges(contact, part),
        Effect.map(storage.list({ from: "leads", where: ofContact, ...part }), (found) => found.map(leadEntry)),
        Effect.map(storage.list({ from: "tasks", where: ofContact, ...part }), (found) => found.map(taskEntry)),
        Effect.map(
          storage.listColumns({ from: "businessEvents", where: ofContact, ...part }, businessEventColumns),
          (found) => found.map(businessEventEntry)
        ),
        Effect.map(storage.listColumns({ from: "workflowRuns", where: ofContact, ...part }, runColumns), (found) =>
          found.map(runEntry)
        ),
        Effect.map(storage.listColumns({ from: "botSessions", where: ofContact, ...part }, botColumns), (found) =>
          found.map(botEntry)
        ),
        ...conversations.flatMap((conversation): ReadonlyArray<Source> => {
          const ofConversation = { conversationId: conversation.id }
          return [
            Effect.map(
              storage.listColumns({ from: "messages", where: ofConversation, ...part }, messageColumns),
              (found) => found.map((message) => messageEntry(message, conversation))
            ),
            Effect.map(eventsOf(conversation.id, conversationEvents, part), (found) =>
              found.map((event) => conversationEventEntry(event, conversation))
            )
          ]
        }),
        ...leads.map((lead) =>
          Effect.map(eventsOf(lead.id, ["lead.stage_changed"], part), (found) => found.map(leadEventEntry))
        )
      ]
    })

  return AdminContactHistory.of({
    list: (contactId, query) =>
      Effect.gen(function* () {
        const contact = yield* orNotFound(yield* readById(storage, "contacts", contactId))
        const { since } = query.value
        const bound = since == null ? {} : { since }
        return yield* listByCursor(
          {
            cursors: cursors("contact_history", Schema.String.pipe(Schema.filter(isUuid))),
            filters: { contact_id: contactId, since },
            positionOf: ({ id }: HistoryEntry) => id,
            load: (after, limit) =>
              Effect.gen(function* () {
                const sources = yield* sourcesOf(contact, { after, limit, ...bound })
                const found = yield* Effect.all(sources, { concurrency })
                return found
                  .flat()
                  .filter(({ at, id }) => (after === null || id < after) && (since == null || at >= since))
                  .sort((one, other) => (one.id < other.id ? 1 : -1))
                  .slice(0, limit)
              })
          },
          query
        )
      })
  })
})
