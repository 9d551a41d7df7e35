import { Effect } from "effect"
import type { Job } from "../model/Job.js"
import type { Lead } from "../model/Lead.js"
import type { Message } from "../model/Message.js"
import type { Blobs, BlobsUnavailable } from "../ports/Blobs.js"
import { changes, expect, type Parts, remove } from "../ports/Changes.js"
import { type CommitError, lookup, type Storage } from "../ports/Storage.js"
import { removeFiles } from "../resources/attachments/removeFiles.js"
import { contactWork } from "../resources/contacts/contactJob.js"
import { deleteJobs } from "./deleteJobs.js"
import { eraseDialogues, eraseRuns } from "./eraseAutomations.js"
import { eraseEvents } from "./eraseEvents.js"
import { untilNothingLeft } from "./untilNothingLeft.js"

type Erasing = Pick<Storage, "commit" | "list" | "read">

/** Number of rows read at a time. The events, deliveries and attempts of each row are deleted with it. */
const batch = 25

/**
 * Deletes the data of an erased contact (docs/reference/contacts.md#erasure): messages with their files and jobs,
 * leads, tasks, business events, workflow runs and bot sessions, and the events about all of these with their
 * deliveries. Works in batches and can be restarted at any point. The job of `reassignConversation.ts` deletes the
 * tasks that a former contact has about an erased conversation.
 */
export const eraseContactData = (
  storage: Erasing,
  blobs: Pick<Blobs, "remove">,
  job: Job
): Effect.Effect<void, CommitError | BlobsUnavailable> =>
  Effect.gen(function* () {
    const work = contactWork(job)
    if (work.task !== "erase_contact") return
    const { contactIds, conversationIds } = work
    const { workspaceId } = job
    // Automations first, because they may create further data.
    for (const contactId of contactIds) {
      yield* eraseRuns(storage, workspaceId, contactId)
      yield* eraseDialogues(storage, workspaceId, { contactId })
    }
    for (const conversationId of conversationIds) {
      yield* eraseDialogues(storage, workspaceId, { conversationId })
      yield* eraseMessages(storage, blobs, workspaceId, conversationId)
      yield* eraseFeed(storage, workspaceId, conversationId)
    }
    for (const contactId of contactIds) {
      yield* eraseLeads(storage, workspaceId, contactId)
      yield* eraseRows(storage, workspaceId, "tasks", contactId)
      yield* eraseRows(storage, workspaceId, "businessEvents", contactId)
    }
    for (const subject of [...conversationIds, ...contactIds]) yield* eraseEvents(storage, workspaceId, [subject])
  })

const eraseMessages = (
  storage: Erasing,
  blobs: Pick<Blobs, "remove">,
  workspaceId: string,
  conversationId: string
): Effect.Effect<void, CommitError | BlobsUnavailable> =>
  untilNothingLeft(
    Effect.gen(function* () {
      const messages = yield* storage.list({ from: "messages", where: { conversationId }, after: null, limit: batch })
      if (messages.length === 0) return false
      yield* eraseEvents(
        storage,
        workspaceId,
        messages.map(({ id }) => id)
      )
      const claims = yield* storage.read(
        Object.fromEntries(
          messages.flatMap(({ connectionId, envelope, providerMessageId, type }) =>
            // A deletion may have the id of the message that it deletes.
            [providerMessageId, type === "deletion" ? envelope?.quoted?.providerMessageId : null].flatMap((id) =>
              id == null
                ? []
                : [[`${connectionId} ${id}`, lookup("providerMessages", { connectionId, providerMessageId: id })]]
            )
          )
        )
      )
      const erased = new Set<string | null>(messages.map(({ id }) => id))
      const keys = Object.values(claims)
        .flat()
        .filter(({ messageId }) => erased.has(messageId))
        .map(({ connectionId, providerMessageId }) => ({ connectionId, providerMessageId }))
      const files = yield* removeFiles(storage, blobs, messages)
      // The job of a message has its id, and contains the handle. It may wait for as long as its connection is paused.
      // One that fetches the files of its message is due soon: it deletes what it has stored since, and ends.
      const jobs = yield* deleteJobs(
        storage,
        messages.map(({ id }) => id),
        ({ lane }) => lane !== "downloads" && lane !== "fetches"
      )
      yield* storage.commit(
        changes(workspaceId, deleteUnchanged("messages", messages), files, jobs, {
          expects: keys.map((key) => expect("providerMessages", key)),
          deletes: keys.map((key) => remove("providerMessages", key))
        })
      )
      return true
    })
  )

const eraseLeads = (storage: Erasing, workspaceId: string, contactId: string): Effect.Effect<void, CommitError> =>
  untilNothingLeft(
    Effect.gen(function* () {
      const leads = yield* storage.list({ from: "leads", where: { contactId }, after: null, limit: batch })
      if (leads.length === 0) return false
      yield* eraseEvents(
        storage,
        workspaceId,
        leads.map(({ id }) => id)
      )
      yield* storage.commit(changes(workspaceId, deleteUnchanged("leads", leads)))
      return true
    })
  )

/**
 * Deletes rows by id and version. A row that changed since it was read may have new events: the commit conflicts and
 * the loop reads it again.
 */
const deleteUnchanged = (
  table: "messages" | "leads",
  rows: ReadonlyArray<Pick<Message | Lead, "id" | "version">>
): Parts => ({
  expects: rows.map(({ id, version }) => expect(table, { id }, { version })),
  deletes: rows.map(({ id }) => remove(table, { id }))
})

const eraseRows = (
  storage: Erasing,
  workspaceId: string,
  table: "tasks" | "businessEvents",
  contactId: string
): Effect.Effect<void, CommitError> =>
  untilNothingLeft(
    Effect.gen(function* () {
      const rows = yield* storage.list({ from: table, where: { contactId }, after: null, limit: batch })
      if (rows.length === 0) return false
      yield* storage.commit(
        changes(workspaceId, {
          expects: rows.map(({ id }) => expect(table, { id })),
          deletes: rows.map(({ id }) => remove(table, { id }))
        })
      )
      return true
    })
  )

/** Number of feed entries deleted by one commit. */
const feedBatch = 200

/** Deletes the feed of a deleted conversation, which gets no new entries. */
const eraseFeed = (storage: Erasing, workspaceId: string, conversationId: string): Effect.Effect<void, CommitError> =>
  untilNothingLeft(
    Effect.gen(function* () {
      const { feed } = yield* storage.read({ feed: lookup("feed", { conversationId }) })
      if (feed.length === 0) return false
      const keys = feed.slice(0, feedBatch).map(({ sequence }) => ({ conversationId, sequence }))
      yield* storage.commit(
        changes(workspaceId, {
          expects: keys.map((key) => expect("feed", key)),
          deletes: keys.map((key) => remove("feed", key))
        })
      )
      return true
    })
  )
