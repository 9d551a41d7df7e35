import { Effect } from "effect"
import { timeOutJob } from "../flows/bots/botJobs.js"
import { changes, expect, type Parts, remove } from "../ports/Changes.js"
import { type CommitError, lookup, type Storage } from "../ports/Storage.js"
import { untilNothingLeft } from "./untilNothingLeft.js"

type Erasing = Pick<Storage, "commit" | "list" | "read">

/** Number of runs or bot sessions deleted by one commit. A run's notifications are deleted with it. */
const batch = 10

/**
 * Deletes the workflow runs of a contact with their jobs and notifications, and its bot sessions with their timeout
 * jobs. A concurrent step or turn expects its run or session, so that its commit conflicts and writes nothing. Run keys
 * are kept for deduplication (docs/reference/events.md#deduplication-of-events).
 */
export const eraseAutomations = (
  storage: Erasing,
  workspaceId: string,
  contactId: string
): Effect.Effect<void, CommitError> =>
  Effect.zipRight(eraseRuns(storage, workspaceId, contactId), eraseDialogues(storage, workspaceId, contactId))

const eraseRuns = (storage: Erasing, workspaceId: string, contactId: string): Effect.Effect<void, CommitError> =>
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

const eraseDialogues = (storage: Erasing, workspaceId: string, contactId: string): Effect.Effect<void, CommitError> =>
  untilNothingLeft(
    Effect.gen(function* () {
      const sessions = yield* storage.list({ from: "botSessions", where: { contactId }, after: null, limit: batch })
      if (sessions.length === 0) return false
      yield* storage.commit(
        changes(
          workspaceId,
          {
            expects: sessions.map(({ id }) => expect("botSessions", { id })),
            deletes: sessions.map(({ id }) => remove("botSessions", { id }))
          },
          yield* deleteJobs(
            storage,
            sessions.map((session) => timeOutJob(session).row.id)
          )
        )
      )
      return true
    })
  )

/** Deletes the existing jobs. A process that runs one of them loses its lease. */
const deleteJobs = (storage: Erasing, ids: ReadonlyArray<string>): Effect.Effect<Parts, CommitError> =>
  Effect.map(storage.read(Object.fromEntries(ids.map((id) => [id, lookup("jobs", { id })] as const))), (found) => {
    const jobs = Object.values(found).flat()
    return {
      expects: jobs.map(({ id }) => expect("jobs", { id })),
      deletes: jobs.map(({ id }) => remove("jobs", { id }))
    }
  })
