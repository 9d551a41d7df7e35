import { Effect } from "effect"
import { eraseEvents } from "../events/eraseEvents.js"
import { changes, expect, remove } from "../ports/Changes.js"
import { type CommitError, lookup, type Storage } from "../ports/Storage.js"

type Erasing = Pick<Storage, "commit" | "list" | "read">

/** How many runs or dialogues go in one commit: a run takes its job and what it told the administrators along. */
const batch = 10

/**
 * Deletes the runs of workflows that were about a contact, with the jobs that carry them on, and the dialogues of bots with it.
 * A step or a turn that is under way meanwhile expects its run or dialogue, and so writes nothing any more. That their events
 * started runs stays (decisions.md §5).
 */
export const eraseAutomations = (
  storage: Erasing,
  workspaceId: string,
  contactId: string
): Effect.Effect<void, CommitError> =>
  Effect.zipRight(eraseRuns(storage, workspaceId, contactId), eraseSessions(storage, workspaceId, contactId))

const eraseRuns = (storage: Erasing, workspaceId: string, contactId: string): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const runs = yield* storage.list({ from: "workflowRuns", where: { contactId }, after: null, limit: batch })
    if (runs.length === 0) return
    const [jobs, notifications] = yield* Effect.all(
      [
        // A run and its job have one id.
        storage.read(Object.fromEntries(runs.map(({ id }) => [id, lookup("jobs", { id })] as const))),
        storage.read(
          Object.fromEntries(runs.map(({ id }) => [id, lookup("notifications", { subjectId: id })] as const))
        )
      ],
      { concurrency: "unbounded" }
    )
    const gone = [
      ...keysOf("jobs", Object.values(jobs).flat()),
      ...keysOf("notifications", Object.values(notifications).flat())
    ]
    yield* storage.commit(
      changes(
        workspaceId,
        {
          expects: gone.map(({ id, table }) => expect(table, { id })),
          deletes: gone.map(({ id, table }) => remove(table, { id }))
        },
        {
          // One that went on since it was read may have told more, and is looked at again.
          expects: runs.map(({ id, version }) => expect("workflowRuns", { id }, { version })),
          deletes: runs.map(({ id }) => remove("workflowRuns", { id }))
        }
      )
    )
    yield* eraseRuns(storage, workspaceId, contactId)
  })

const eraseSessions = (storage: Erasing, workspaceId: string, contactId: string): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const sessions = yield* storage.list({ from: "botSessions", where: { contactId }, after: null, limit: batch })
    if (sessions.length === 0) return
    yield* eraseEvents(
      storage,
      workspaceId,
      sessions.map(({ id }) => id)
    )
    yield* storage.commit(
      changes(workspaceId, {
        expects: sessions.map(({ id, version }) => expect("botSessions", { id }, { version })),
        deletes: sessions.map(({ id }) => remove("botSessions", { id }))
      })
    )
    yield* eraseSessions(storage, workspaceId, contactId)
  })

const keysOf = <T extends "jobs" | "notifications">(table: T, rows: ReadonlyArray<{ readonly id: string }>) =>
  rows.map(({ id }) => ({ table, id }))
