import { Schema } from "effect"
import { sampleIds, samples } from "../../kernel/input/samples.js"
import { component, createdAt, field, ids, part, wire, workspaceId } from "../../kernel/input/wire.js"
import { type Instant, Timestamp } from "../../model/Instant.js"
import { dueAtOf, type Job, lanes, neverDue } from "../../model/Job.js"

const Failure = part({
  lane: field(Schema.Literal(...lanes), { description: "The lane of the work." }),
  count: field(Schema.Number, { description: "Failures in a row. 0: it waits for a secret key that its host lacks." }),
  since: field(Timestamp, { description: "Time of the first failure, or start of the wait." }),
  error: field(Schema.String, { description: "The last error." })
})

/**
 * A job of the queue on the wire (docs/reference/administration.md#jobs). Its payload may have addresses: it is not
 * shown.
 */
export const JobResource = component(
  "Job",
  "Work that waits in the queue or runs. A finished job is deleted.",
  {
    id: ids.job,
    workspaceId,
    lane: field(Schema.Literal(...lanes), { description: "Its lane; `parked` after too many failures." }),
    state: field(Schema.Literal("due", "leased", "waiting", "parked"), {
      description:
        "`leased`: a host runs it. `waiting`: until `next_run_at`. `parked`: until an administrator retries it."
    }),
    task: field(Schema.NullOr(Schema.String), {
      description: "The kind of work in its lane; null if it has one kind."
    }),
    subjectId: wire("subject_id", Schema.String, {
      description: "Id of the resource whose limit it counts against, such as its connection or endpoint."
    }),
    referenceId: wire("reference_id", Schema.String, {
      description: "Id of the resource that it works on, such as a message, delivery or run."
    }),
    nextRunAt: wire("next_run_at", Schema.NullOr(Timestamp), {
      description:
        "Start of the next try; for a running job, the end of its lease; for a parked send, the time at which its message fails. Null for other parked jobs."
    }),
    leaseOwner: wire("lease_owner", Schema.NullOr(Schema.String), { description: "The process that runs it." }),
    attempts: field(Schema.Number, {
      description: "Number of claims; in the lane `sends`, number of calls of the provider."
    }),
    failure: field(Schema.NullOr(Failure), { description: "Null if the last try did not fail." }),
    createdAt
  },
  {
    parked: {
      id: sampleIds.job,
      workspace_id: sampleIds.workspace,
      lane: "parked",
      state: "parked",
      task: "fetch_file",
      subject_id: sampleIds.connection,
      reference_id: sampleIds.attachment,
      next_run_at: null,
      lease_owner: null,
      attempts: 20,
      failure: {
        lane: "fetches",
        count: 20,
        since: samples.created,
        error: "TypeError: Cannot read properties of undefined"
      },
      created_at: samples.created
    }
  }
)

/** `now`: in ms, by which a job is due or leased. */
export const jobResource = (job: Job, now: Instant): typeof JobResource.Type => {
  const isLeased = job.leaseUntil > now
  const dueAt = dueAtOf(job)
  return {
    id: job.id,
    workspaceId: job.workspaceId,
    lane: job.lane,
    state: isLeased ? "leased" : job.lane === "parked" ? "parked" : dueAt <= now ? "due" : "waiting",
    task: typeof job.payload?.task === "string" ? job.payload.task : null,
    subjectId: job.subject,
    referenceId: job.reference,
    nextRunAt: dueAt >= neverDue ? null : dueAt,
    leaseOwner: isLeased ? job.leaseOwner : null,
    attempts: job.attempts,
    failure: job.failure,
    createdAt: job.createdAt
  }
}
