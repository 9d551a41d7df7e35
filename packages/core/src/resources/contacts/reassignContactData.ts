import { Effect } from "effect"
import type { Job } from "../../model/Job.js"
import { type Condition, changes, expect, type Key, set, type Tables } from "../../ports/Changes.js"
import { type CommitError, readById, type Storage, type TableWithId } from "../../ports/Storage.js"
import { contactWork } from "./contactJob.js"

const batch = 200

/**
 * Reassigns to a contact the data of contacts that were merged into it: workflow runs, bot sessions, the leads and
 * tasks that the merge did not move, business events, and events about them. Works in batches; a retry continues with
 * the remaining rows.
 */
export const reassignContactData = (
  storage: Pick<Storage, "commit" | "list" | "read">,
  job: Job
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const work = contactWork(job)
    if (work.task !== "gather_contact") return
    for (const from of work.from) {
      const contact = { contactId: from }
      const moves = [
        // Runs come first: a run waits while its contact does not exist.
        move(storage, job, "workflowRuns", contact, { contactId: job.reference }),
        move(storage, job, "botSessions", contact, { contactId: job.reference }),
        move(storage, job, "leads", contact, { contactId: job.reference }),
        move(storage, job, "tasks", contact, { contactId: job.reference }),
        move(storage, job, "businessEvents", contact, { contactId: job.reference }),
        move(storage, job, "events", { subjectId: from }, { subjectId: job.reference })
      ]
      yield* Effect.all(moves, { discard: true })
    }
  })

/**
 * Repeats until no row matches. Stops if the contact no longer exists: the commit that deleted it took over the
 * remaining work.
 */
const move = <T extends TableWithId>(
  storage: Pick<Storage, "commit" | "list" | "read">,
  job: Job,
  table: T,
  where: Condition<T>,
  values: Partial<Tables[T]>
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const id = job.reference
    for (;;) {
      const rows = yield* storage.list({ from: table, where, after: null, limit: batch })
      if (rows.length === 0 || (yield* readById(storage, "contacts", id)) === undefined) return
      const keys = rows.map((row) => ({ id: row.id }) as unknown as Key<T>)
      yield* storage.commit(
        changes(job.workspaceId, {
          expects: [expect("contacts", { id }), ...keys.map((key) => expect(table, key, where))],
          sets: keys.map((key) => set(table, key, values))
        })
      )
    }
  })
