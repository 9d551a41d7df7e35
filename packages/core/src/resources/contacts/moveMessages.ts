import { Effect } from "effect"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import { newJob } from "../../model/Job.js"
import type { Message } from "../../model/Message.js"
import { changes, expect, type RowOf, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { type CommitError, readById, type Storage } from "../../ports/Storage.js"

const batch = 200

/** The job that reassigns the messages of a conversation to the conversation's new contact. */
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
 * Reassigns the messages of a conversation to its present contact, in batches. Starts again if the conversation is
 * reassigned or deleted, or a message is deleted, in the meantime.
 */
export const moveMessages = (
  storage: Pick<Storage, "commit" | "list" | "read">,
  conversationId: string
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    for (;;) {
      const conversation = yield* readById(storage, "conversations", conversationId)
      if (conversation === undefined || (yield* moveTo(storage, conversation))) return
    }
  })

/** False if a commit conflicted. */
const moveTo = (
  storage: Pick<Storage, "commit" | "list">,
  { contactId, id: conversationId, workspaceId }: Conversation
): Effect.Effect<boolean, CommitError> =>
  Effect.gen(function* () {
    let after: string | null = null
    for (;;) {
      const messages: ReadonlyArray<Message> = yield* storage.list({
        from: "messages",
        where: { conversationId },
        after,
        limit: batch
      })
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
        if (outcome._tag !== "Committed") return false
      }
      const last = messages.at(-1)
      if (messages.length < batch || last === undefined) return true
      after = last.id
    }
  })
