import { Schema } from "effect"
import { type Instant, second } from "../../model/Instant.js"
import { housekeepingJob, type Job } from "../../model/Job.js"
import { expect, type Parts, remove, row, set } from "../../ports/Changes.js"

/** Retry delay in ms of work whose contact is being merged or erased. */
export const mergeRetryMs: number = 10 * second

/** Payload of a {@link contactJob}. */
const ContactWork = Schema.Union(
  /** Reassign the data of contacts that were merged into it. */
  Schema.Struct({ task: Schema.Literal("gather_contact"), from: Schema.Array(Schema.String) }),
  /** Delete the data of the contact and of contacts that were merged into it, and the messages of its conversations. */
  Schema.Struct({
    task: Schema.Literal("erase_contact"),
    contactIds: Schema.Array(Schema.String),
    conversationIds: Schema.Array(Schema.String)
  })
)
export type ContactWork = typeof ContactWork.Type

const decode = Schema.decodeUnknownSync(ContactWork)

/** Decodes the payload that {@link contactJob} wrote; dies for another kind of job. */
export const contactWork = ({ payload }: Job): ContactWork => decode(payload)

/** The merged contacts whose data a pending job has not yet reassigned. */
export const contactsToReassign = (pending: Job | undefined): ReadonlyArray<string> => {
  if (pending === undefined) return []
  const work = contactWork(pending)
  return work.task === "gather_contact" ? work.from : []
}

/**
 * Stores work in the one job of a contact and replaces the work of `pending`. The job has the contact's id, so a later
 * merge or erasure of the contact finds the unfinished work and includes it in the same commit.
 */
export const contactJob = (
  contact: { readonly id: string; readonly workspaceId: string },
  work: ContactWork,
  pending: Job | undefined,
  now: Instant
): Parts => {
  const { id } = contact
  const payload = { ...work }
  if (pending === undefined) {
    return { inserts: [row("jobs", housekeepingJob(id, contact, payload, now))] }
  }
  // A worker that holds the lease has the previous work. A new epoch fences it, and the job is claimed again.
  // A parked job is retried.
  const lane = pending.failure?.lane ?? pending.lane
  const values = {
    lane,
    payload,
    failure: null,
    runAt: now,
    leaseUntil: 0,
    leaseOwner: null,
    epoch: pending.epoch + 1
  }
  return { ...asItWas(pending), sets: [set("jobs", { id }, values)] }
}

/** Deletes the job of a contact whose work moves into another job. */
export const withoutContactJob = (pending: Job | undefined): Parts =>
  pending === undefined ? {} : { ...asItWas(pending), deletes: [remove("jobs", { id: pending.id })] }

const asItWas = ({ epoch, id }: Job): Parts => ({ expects: [expect("jobs", { id }, { epoch })] })
