import type { Instant } from "../../../model/Instant.js"
import { type Job, newJob, unsettledClaims } from "../../../model/Job.js"
import type { Run } from "../../../model/Run.js"
import type { Settle } from "../../../ports/Changes.js"

interface RunPayload {
  /** Ids at the creation of the job, so that the rows are read in the same batch as the run. */
  readonly contactId: string
  readonly versionId: string
  /** See {@link unsettledClaims}. */
  readonly settled?: number
}

const isRunPayload = (payload: Job["payload"]): payload is NonNullable<Job["payload"]> & RunPayload =>
  payload?.task === "advance_run" &&
  typeof payload.contactId === "string" &&
  typeof payload.versionId === "string" &&
  (!("settled" in payload) || typeof payload.settled === "number")

/** The payload of a run's job. Throws on another payload. Checked by hand, because each step of a run reads it. */
export const runPayload = ({ id, payload }: Job): RunPayload => {
  if (!isRunPayload(payload)) throw new TypeError(`The job ${id} is not that of a run`)
  return payload
}

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
export const settledRun = (
  job: Job,
  runAt: Instant,
  lane: "runs" | "calls" = "runs"
): NonNullable<Settle["again"]> => ({
  runAt,
  lane,
  payload: { ...job.payload, settled: job.attempts }
})

/** {@link unsettledClaims} of a run's job. */
export const unsettledRunClaims = (job: Job): number => unsettledClaims(job, runPayload(job).settled ?? 0)
