import { Effect } from "effect"
import { timeOutJob } from "../bots/botJobs.js"
import { changes, expect, type Parts, remove } from "../ports/Changes.js"
import { type CommitError, lookup, type Storage } from "../ports/Storage.js"

type Erasing = Pick<Storage, "commit" | "list" | "read">

/** How many runs or dialogues go in one commit: a run takes what it told the administrators along. */
const batch = 10

/**
 * Deletes the runs of workflows that were about a contact, with the jobs that carry them on, and the dialogues of bots with it,
 * with the jobs that time them out. A step or a turn that is under way meanwhile expects its run or dialogue, and so writes
 * nothing any more. That an event started a run is kept (decisions.md §5).
 */
export const eraseAutomations = (
  storage: Erasing,
  workspaceId: string,
  contactId: string
): Effect.Effect<void, CommitError> =>
  Effect.zipRight(eraseRuns(storage, workspaceId, contactId), eraseDialogues(storage, workspaceId, contactId))

const eraseRuns = (storage: Erasing, workspaceId: string, contactId: string): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const runs = yield* storage.list({ from: "workflowRuns", where: { contactId }, after: null, limit: batch })
    if (runs.length === 0) return
    const told = yield* storage.read(
      Object.fromEntries(runs.map(({ id }) => [id, lookup("notifications", { subjectId: id })] as const))
    )
    const notifications = Object.values(told).flat()
    yield* storage.commit(
      changes(
        workspaceId,
        {
          // One that went on since it was read may have told more, and is looked at again.
          expects: runs.map(({ id, version }) => expect("workflowRuns", { id }, { version })),
          deletes: runs.map(({ id }) => remove("workflowRuns", { id }))
        },
        {
          expects: notifications.map(({ id }) => expect("notifications", { id })),
          deletes: notifications.map(({ id }) => remove("notifications", { id }))
        },
        // A run and its job have one id.
        yield* withoutJobs(
          storage,
          runs.map(({ id }) => id)
        )
      )
    )
    yield* eraseRuns(storage, workspaceId, contactId)
  })

const eraseDialogues = (storage: Erasing, workspaceId: string, contactId: string): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const sessions = yield* storage.list({ from: "botSessions", where: { contactId }, after: null, limit: batch })
    if (sessions.length === 0) return
    yield* storage.commit(
      changes(
        workspaceId,
        {
          expects: sessions.map(({ id }) => expect("botSessions", { id })),
          deletes: sessions.map(({ id }) => remove("botSessions", { id }))
        },
        yield* withoutJobs(
          storage,
          sessions.map((session) => timeOutJob(session).row.id)
        )
      )
    )
    yield* eraseDialogues(storage, workspaceId, contactId)
  })

/** The end of those jobs that are there. Whoever works on one has lost it. */
const withoutJobs = (storage: Erasing, ids: ReadonlyArray<string>): Effect.Effect<Parts, CommitError> =>
  Effect.map(storage.read(Object.fromEntries(ids.map((id) => [id, lookup("jobs", { id })] as const))), (found) => {
    const jobs = Object.values(found).flat()
    return {
      expects: jobs.map(({ id }) => expect("jobs", { id })),
      deletes: jobs.map(({ id }) => remove("jobs", { id }))
    }
  })
