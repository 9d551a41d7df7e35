import { Effect } from "effect"
import { type Condition, changes, expect, type Key, set, type Tables } from "../ports/Changes.js"
import { type CommitError, readById, type Storage, type TableWithId } from "../ports/Storage.js"
import type { Job } from "../worker/Job.js"
import { contactWork } from "./contactJob.js"

const batch = 200

/**
 * Gives a contact what belonged to those that were folded into it: runs and dialogues of automations, leads and tasks that the
 * merge left, business events, and the events about them. In batches; begun anew, it goes on where it was.
 */
export const gatherContact = (
  storage: Pick<Storage, "commit" | "list" | "read">,
  job: Job
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const work = contactWork(job)
    if (work.task !== "gather_contact") return
    for (const from of work.from) {
      const contact = { contactId: from }
      const moves = [
        // First: a run whose contact is not there waits for it.
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

/** Until no row meets the condition; not beyond the end of the contact, whose end took the rest of this work over. */
const move = <T extends TableWithId>(
  storage: Pick<Storage, "commit" | "list" | "read">,
  job: Job,
  table: T,
  where: Condition<T>,
  values: Partial<Tables[T]>
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const id = job.reference
    const rows = yield* storage.list({ from: table, where, after: null, limit: batch })
    if (rows.length === 0 || (yield* readById(storage, "contacts", id)) === undefined) return
    const keys = rows.map((row) => ({ id: row.id }) as unknown as Key<T>)
    yield* storage.commit(
      changes(job.workspaceId, {
        expects: [expect("contacts", { id }), ...keys.map((key) => expect(table, key, where))],
        sets: keys.map((key) => set(table, key, values))
      })
    )
    yield* move(storage, job, table, where, values)
  })
