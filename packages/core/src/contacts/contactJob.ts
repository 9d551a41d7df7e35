import { Schema } from "effect"
import { type Instant, second } from "../Instant.js"
import { expect, type Parts, remove, row, set } from "../ports/Changes.js"
import { type Job, newJob } from "../worker/Job.js"

/** How long work waits whose contact is just being merged or erased. */
export const whileMerged: number = 10 * second

/** What the {@link contactJob} of a contact is to do. */
const ContactWork = Schema.Union(
  /** Give it what belongs to contacts that were folded into it. */
  Schema.Struct({ task: Schema.Literal("gather_contact"), from: Schema.Array(Schema.String) }),
  /** Delete what belongs to it and to those that were folded into it, and all that was said in its conversations. */
  Schema.Struct({
    task: Schema.Literal("erase_contact"),
    contactIds: Schema.Array(Schema.String),
    conversationIds: Schema.Array(Schema.String)
  })
)
export type ContactWork = typeof ContactWork.Type

const decode = Schema.decodeUnknownSync(ContactWork)

/** What {@link contactJob} put into a job; a defect where it is none of a contact. */
export const contactWork = ({ payload }: Job): ContactWork => decode(payload)

/** The contacts whose belongings a pending job still has to gather. */
export const stillToGather = (pending: Job | undefined): ReadonlyArray<string> => {
  if (pending === undefined) return []
  const work = contactWork(pending)
  return work.task === "gather_contact" ? work.from : []
}

/**
 * Puts work on a contact into its one job, in place of what `pending` has. The job has the contact's id, so that whoever
 * merges or erases the contact next finds what is left to do and takes it over in the same commit.
 */
export const contactJob = (
  contact: { readonly id: string; readonly workspaceId: string },
  work: ContactWork,
  pending: Job | undefined,
  now: Instant
): Parts => {
  const { id, workspaceId } = contact
  const payload = { ...work }
  if (pending === undefined) {
    const job = { id, workspaceId, lane: "housekeeping" as const, subject: id, reference: id, payload }
    return { inserts: [row("jobs", newJob({ ...job, runAt: now, createdAt: now }))] }
  }
  // Whoever works on it has the old work: it loses the lease, and the job is taken up again.
  const values = { payload, runAt: now, leaseUntil: 0, leaseOwner: null, epoch: pending.epoch + 1 }
  return { ...asItWas(pending), sets: [set("jobs", { id }, values)] }
}

/** Takes a contact's job away: its work goes into another one. */
export const withoutContactJob = (pending: Job | undefined): Parts =>
  pending === undefined ? {} : { ...asItWas(pending), deletes: [remove("jobs", { id: pending.id })] }

const asItWas = ({ epoch, id }: Job): Parts => ({ expects: [expect("jobs", { id }, { epoch })] })
