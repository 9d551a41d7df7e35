import { Effect } from "effect"
import { timeOutJob } from "../flows/bots/botJobs.js"
import type { BotSession } from "../model/BotSession.js"
import { changes, expect, remove, set } from "../ports/Changes.js"
import { type CommitError, lookup, readByIds, type Storage } from "../ports/Storage.js"
import { deleteJobs } from "./deleteJobs.js"
import { untilNothingLeft } from "./untilNothingLeft.js"

type Erasing = Pick<Storage, "commit" | "list" | "read">

/** Number of runs or bot sessions of one commit. A run's notifications are deleted with it. */
const batch = 10

/**
 * Deletes the workflow runs of a contact with their jobs and notifications. A concurrent step expects its run, so that
 * its commit conflicts and writes nothing. Run keys are kept for deduplication
 * (docs/reference/events.md#deduplication-of-events).
 */
export const eraseRuns = (storage: Erasing, workspaceId: string, contactId: string): Effect.Effect<void, CommitError> =>
  untilNothingLeft(
    Effect.gen(function* () {
      const runs = yield* storage.list({ from: "workflowRuns", where: { contactId }, after: null, limit: batch })
      if (runs.length === 0) return false
      const found = yield* storage.read(
        Object.fromEntries(runs.map(({ id }) => [id, lookup("notifications", { subjectId: id })] as const))
      )
      const notifications = Object.values(found).flat()
      yield* storage.commit(
        changes(
          workspaceId,
          {
            // A run that changed since it was read may have new notifications: the commit conflicts and the loop reads
            // it again.
            expects: runs.map(({ id, version }) => expect("workflowRuns", { id }, { version })),
            deletes: runs.map(({ id }) => remove("workflowRuns", { id }))
          },
          {
            expects: notifications.map(({ id }) => expect("notifications", { id })),
            deletes: notifications.map(({ id }) => remove("notifications", { id }))
          },
          // A run and its job have the same id.
          yield* deleteJobs(
            storage,
            runs.map(({ id }) => id)
          )
        )
      )
      return true
    })
  )

/**
 * Deletes the bot sessions of an erased contact or conversation with their timeout jobs. A session whose conversation
 * has followed its handle to another contact moves there. A concurrent turn expects its session, so that its commit
 * conflicts and writes nothing.
 */
export const eraseDialogues = (
  storage: Erasing,
  workspaceId: string,
  where: Pick<BotSession, "contactId"> | Pick<BotSession, "conversationId">
): Effect.Effect<void, CommitError> =>
  untilNothingLeft(
    Effect.gen(function* () {
      const sessions = yield* storage.list({ from: "botSessions", where, after: null, limit: batch })
      if (sessions.length === 0) return false
      const { conversations } = yield* readByIds(storage, {
        conversations: sessions.map(({ conversationId }) => conversationId)
      })
      const moved = sessions.flatMap((session) => {
        const contactId = conversations.get(session.conversationId)?.contactId ?? session.contactId
        return contactId === session.contactId ? [] : [{ ...session, contactId }]
      })
      const gone = sessions.filter(({ id }) => moved.every((session) => session.id !== id))
      yield* storage.commit(
        changes(
          workspaceId,
          {
            expects: [
              ...sessions.map(({ id }) => expect("botSessions", { id })),
              ...moved.map(({ contactId, conversationId }) =>
                expect("conversations", { id: conversationId }, { contactId })
              )
            ],
            sets: moved.map(({ contactId, id }) => set("botSessions", { id }, { contactId })),
            deletes: gone.map(({ id }) => remove("botSessions", { id }))
          },
          yield* deleteJobs(
            storage,
            gone.map((session) => timeOutJob(session).row.id)
          )
        )
      )
      return true
    })
  )
