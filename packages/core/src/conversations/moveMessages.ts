import { Effect } from "effect"
import type { Instant } from "../Instant.js"
import { changes, expect, type RowOf, row, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { type CommitError, readById, type Storage } from "../ports/Storage.js"
import { newJob } from "../worker/Job.js"
import type { Conversation } from "./Conversation.js"

const batch = 200

/** The job that lets the messages of a conversation follow it to another contact. */
export const moveMessagesJob = (
  { id, workspaceId }: Pick<Conversation, "id" | "workspaceId">,
  now: Instant,
  ids: Ids
): RowOf<"jobs"> =>
  row(
    "jobs",
    newJob({
      id: ids.next(now),
      workspaceId,
      lane: "housekeeping",
      subject: id,
      reference: id,
      payload: { task: "move_messages" },
      runAt: now,
      createdAt: now
    })
  )

/**
 * Gives the messages of a conversation to the contact that it belongs to now, in batches. Where it changes hands or goes
 * meanwhile, it begins anew.
 */
export const moveMessages = (
  storage: Pick<Storage, "commit" | "list" | "read">,
  conversationId: string
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const conversation = yield* readById(storage, "conversations", conversationId)
    if (conversation === undefined) return
    const { contactId, workspaceId } = conversation
    const from = (after: string | null): Effect.Effect<"done" | "anew", CommitError> =>
      Effect.gen(function* () {
        const messages = yield* storage.list({ from: "messages", where: { conversationId }, after, limit: batch })
        const left = messages.filter((message) => message.contactId !== contactId)
        if (left.length > 0) {
          const outcome = yield* storage.commit(
            changes(workspaceId, {
              expects: [
                expect("conversations", { id: conversationId }, { contactId }),
                ...left.map(({ id }) => expect("messages", { id }))
              ],
              sets: left.map(({ id }) => set("messages", { id }, { contactId }))
            })
          )
          if (outcome._tag !== "Committed") return "anew"
        }
        const last = messages.at(-1)
        return messages.length < batch || last === undefined ? "done" : yield* from(last.id)
      })
    if ((yield* from(null)) === "anew") yield* moveMessages(storage, conversationId)
  })
