import { Effect } from "effect"
import { removeFiles } from "../attachments/removeFiles.js"
import { eraseEvents } from "../events/eraseEvents.js"
import type { Lead } from "../leads/Lead.js"
import type { Message } from "../messages/Message.js"
import type { Blobs, BlobsUnavailable } from "../ports/Blobs.js"
import { changes, expect, type Parts, remove } from "../ports/Changes.js"
import { type CommitError, lookup, type Storage } from "../ports/Storage.js"
import type { Job } from "../worker/Job.js"
import { contactWork } from "./contactJob.js"
import { eraseAutomations } from "./eraseAutomations.js"
import { eraseFeed } from "./eraseFeed.js"

type Erasing = Pick<Storage, "commit" | "list" | "read">

/** How many rows of a kind are looked for at a time; each takes its events, their deliveries and attempts along. */
const batch = 25

/**
 * Deletes what an erased contact left: what was said in its conversations with the files, leads, tasks, business events, the
 * runs and dialogues of automations, and every event about any of these with its deliveries. In batches; begun anew, it goes on where it was.
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
    // First: what they do would have to be erased too.
    for (const contactId of contactIds) yield* eraseAutomations(storage, workspaceId, contactId)
    for (const conversationId of conversationIds) {
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
  Effect.gen(function* () {
    const messages = yield* storage.list({ from: "messages", where: { conversationId }, after: null, limit: batch })
    if (messages.length === 0) return
    yield* eraseEvents(
      storage,
      workspaceId,
      messages.map(({ id }) => id)
    )
    const claims = yield* storage.read(
      Object.fromEntries(
        messages.flatMap(({ connectionId, id, providerMessageId }) =>
          providerMessageId === null ? [] : [[id, lookup("providerMessages", { connectionId, providerMessageId })]]
        )
      )
    )
    const keys = Object.values(claims)
      .flat()
      .map(({ connectionId, providerMessageId }) => ({ connectionId, providerMessageId }))
    const files = yield* removeFiles(storage, blobs, messages)
    yield* storage.commit(
      changes(workspaceId, goneAsTheyWere("messages", messages), files, {
        expects: keys.map((key) => expect("providerMessages", key)),
        deletes: keys.map((key) => remove("providerMessages", key))
      })
    )
    yield* eraseMessages(storage, blobs, workspaceId, conversationId)
  })

const eraseLeads = (storage: Erasing, workspaceId: string, contactId: string): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const leads = yield* storage.list({ from: "leads", where: { contactId }, after: null, limit: batch })
    if (leads.length === 0) return
    yield* eraseEvents(
      storage,
      workspaceId,
      leads.map(({ id }) => id)
    )
    yield* storage.commit(changes(workspaceId, goneAsTheyWere("leads", leads)))
    yield* eraseLeads(storage, workspaceId, contactId)
  })

/** What changed meanwhile may have further events, and is looked at again. */
const goneAsTheyWere = (
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
  Effect.gen(function* () {
    const rows = yield* storage.list({ from: table, where: { contactId }, after: null, limit: batch })
    if (rows.length === 0) return
    yield* storage.commit(
      changes(workspaceId, {
        expects: rows.map(({ id }) => expect(table, { id })),
        deletes: rows.map(({ id }) => remove(table, { id }))
      })
    )
    yield* eraseRows(storage, workspaceId, table, contactId)
  })
