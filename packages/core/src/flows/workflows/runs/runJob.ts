import { Schema } from "effect"
import { given } from "../../../kernel/input/Patch.js"
import type { Instant } from "../../../model/Instant.js"
import { type Job, newJob, unsettledClaims } from "../../../model/Job.js"
import type { Run } from "../../../model/Run.js"
import type { Settle } from "../../../ports/Changes.js"

const Payload = Schema.Struct({
  task: Schema.Literal("advance_run"),
  /** Ids at the creation of the job, so that the rows are read in the same batch as the run. */
  contactId: Schema.String,
  versionId: Schema.String,
  /** See {@link unsettledClaims}. */
  settled: given(Schema.Number)
})

const decode = Schema.decodeUnknownSync(Payload)

/** Decodes the payload of a run's job. Dies on another payload. */
export const runPayload = ({ payload }: Job): typeof Payload.Type => decode(payload)

/** The job of a run, from its first to its last action. It has the run's id. */
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

/** The job after a settle, due at `runAt`. */
export const settledRun = (job: Job, runAt: Instant, lane: "runs" | "calls" = "runs"): Settle["again"] => ({
  runAt,
  lane,
  payload: { ...job.payload, settled: job.attempts }
})

/** {@link unsettledClaims} of a run's job. */
export const unsettledRunClaims = (job: Job): number => unsettledClaims(job, runPayload(job).settled ?? 0)
