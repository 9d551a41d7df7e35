import { Schema } from "effect"
import type { Instant } from "../../Instant.js"
import { given } from "../../input/Patch.js"
import type { Settle } from "../../ports/Changes.js"
import { type Job, newJob } from "../../worker/Job.js"
import type { Run } from "./Run.js"

const Payload = Schema.Struct({
  task: Schema.Literal("advance_run"),
  /** As they were when the job was made: where the run is read, so are these, in the same batch. */
  contactId: Schema.String,
  versionId: Schema.String,
  /** How many claims of the job came to an end. */
  settled: given(Schema.Number)
})

const decode = Schema.decodeUnknownSync(Payload)

/** What the job knows of its run; a defect where it is none of a run. */
export const runPayload = ({ payload }: Job): typeof Payload.Type => decode(payload)

/** The job that carries a run on, from its first action to its last; it has the run's id. */
export const runJob = ({ contactId, id, versionId, workflowId, workspaceId }: Run, now: Instant): Job =>
  newJob({
    id,
    workspaceId,
    lane: "runs",
    subject: workflowId,
    reference: id,
    payload: { task: "advance_run", contactId, versionId },
    runAt: now,
    createdAt: now
  })

/** The job once it waits until then. */
export const settledRun = (job: Job, runAt: Instant, lane: "runs" | "calls" = "runs"): Settle["again"] => ({
  runAt,
  lane,
  payload: { ...job.payload, settled: job.attempts }
})

/** How often it was claimed since it came to an end last, this time included. */
export const claimsWithoutEnd = (job: Job): number => job.attempts - (runPayload(job).settled ?? 0)
