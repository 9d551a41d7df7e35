import { Effect } from "effect"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import { housekeepingJob, type Job } from "../../model/Job.js"
import { type Condition, changes, expect, type RowOf, remove, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { type CommitError, readById, type Storage } from "../../ports/Storage.js"

const batch = 200

/** The job that follows a commit by which a conversation leaves its contact. */
export const reassignConversationJob = (
  conversation: Pick<Conversation, "contactId" | "id" | "workspaceId">,
  now: Instant,
  ids: Ids
): RowOf<"jobs"> =>
  row(
    "jobs",
    housekeepingJob(ids.next(now), conversation, { task: "move_messages", from: conversation.contactId }, now)
  )

/**
 * Reassigns the messages, bot sessions and tasks of a conversation to its present contact, in batches. Starts again if
 * the conversation is reassigned or deleted, or a row changes, in the meantime. The erasure of a conversation deletes
 * its messages and bot sessions, and this job the tasks that its former contact has.
 */
export const reassignConversation = (
  storage: Pick<Storage, "commit" | "list" | "read">,
  { payload, reference: conversationId, workspaceId }: Pick<Job, "payload" | "reference" | "workspaceId">
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    // Found by the former contact, because no index has the conversation of a task. Earlier versions did not store it.
    const tasks = typeof payload?.from === "string" ? { contactId: payload.from, conversationId } : null
    for (;;) {
      const conversation = yield* readById(storage, "conversations", conversationId)
      if (conversation === undefined) {
        if (tasks !== null) yield* deleteTasks(storage, workspaceId, tasks)
        return
      }
      const isDone =
        (yield* reassign(storage, conversation, "messages", { conversationId })) &&
        (yield* reassign(storage, conversation, "botSessions", { conversationId })) &&
        (tasks === null || (yield* reassign(storage, conversation, "tasks", tasks)))
      if (isDone) return
    }
  })

/** False if a commit conflicted. */
const reassign = (
  storage: Pick<Storage, "commit" | "list">,
  { contactId, id: conversationId, workspaceId }: Conversation,
  table: "messages" | "botSessions" | "tasks",
  where: Pick<Condition<"tasks">, "contactId" | "conversationId">
): Effect.Effect<boolean, CommitError> =>
  Effect.gen(function* () {
    let after: string | null = null
    for (;;) {
      const rows: ReadonlyArray<{ readonly id: string; readonly contactId: string | null }> = yield* storage.list({
        from: table,
        where,
        after,
        limit: batch
      })
      const left = rows.filter((row) => row.contactId !== contactId)
      if (left.length > 0) {
        const keys = left.map(({ id }) => ({ id }))
        const outcome = yield* storage.commit(
          changes(workspaceId, {
            expects: [
              expect("conversations", { id: conversationId }, { contactId }),
              ...keys.map((key) => expect(table, key, where))
            ],
            sets: keys.map((key) => set(table, key, { contactId }))
          })
        )
        if (outcome._tag !== "Committed") return false
      }
      const last = rows.at(-1)
      if (rows.length < batch || last === undefined) return true
      after = last.id
    }
  })

/** Repeats until no task matches. */
const deleteTasks = (
  storage: Pick<Storage, "commit" | "list">,
  workspaceId: string,
  where: Condition<"tasks">
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    for (;;) {
      const tasks = yield* storage.list({ from: "tasks", where, after: null, limit: batch })
      if (tasks.length === 0) return
      yield* storage.commit(
        changes(workspaceId, {
          expects: tasks.map(({ id }) => expect("tasks", { id }, where)),
          deletes: tasks.map(({ id }) => remove("tasks", { id }))
        })
      )
    }
  })
