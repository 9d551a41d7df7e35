import { lanes } from "../worker/Job.js"
import { durations } from "./durations.js"
import { type Recorder, recorder } from "./recorder.js"

// What the engine's own rooms record. docs/metrics.md says what each means, and what to do when it is high.

/** Seconds from handing a message to its provider until the verdict (decisions.md §7). */
export const sendSeconds: Recorder<["channel", "verdict"]> = recorder({
  name: "parley_send_duration_seconds",
  description: "From handing a message to its provider until the verdict",
  labels: ["channel", "verdict"],
  boundaries: durations
})

/** Why a send waits without having been handed over: its turn, a hold of the provider, or a connection that is not active. */
export type PostponedBy = "rate" | "hold" | "connection"

/** How often sends were put back because they may not go yet; the same send may be, several times. */
export const sendsPostponed: Recorder<["channel", "by"]> = recorder({
  name: "parley_sends_postponed_total",
  description:
    "Sends that were put back, because of a rate, a hold of the provider, or a connection that is not active",
  labels: ["channel", "by"]
})

/** Seconds that an attempt at a webhook took; `outcome`: `accepted` (2xx), `refused` (another status) or `no_answer`. */
export const webhookAttemptSeconds: Recorder<["outcome"]> = recorder({
  name: "parley_webhook_attempt_duration_seconds",
  description: "From the start of a webhook attempt until its answer or its failure",
  labels: ["outcome"],
  boundaries: durations
})

/** Notifications that this process brought to the administrators, by kind: an endpoint was disabled, and the like. */
export const notificationsTold: Recorder<["kind"]> = recorder({
  name: "parley_notifications_total",
  description: "Notifications to the administrators, such as that a webhook endpoint was disabled",
  labels: ["kind"]
})

/** Jobs of a lane that failed unexpectedly, and are taken up again when their lease ends. */
export const jobFailures: Recorder<["lane"]> = recorder({
  name: "parley_job_failures_total",
  description: "Jobs that failed unexpectedly and are taken up again when their lease ends",
  labels: ["lane"]
})

/** Runs of workflows that came to an end in this process; `outcome`: `completed`, `skipped`, `failed` or `stopped`. */
export const runsEnded: Recorder<["outcome"]> = recorder({
  name: "parley_workflow_runs_total",
  description: "Runs of workflows that came to an end",
  labels: ["outcome"]
})

/** Jobs that this process still worked on when it turned out that their lease was gone. */
export const leasesLost: Recorder<[]> = recorder({
  name: "parley_leases_lost_total",
  description: "Jobs whose lease was gone while this process still worked on them",
  labels: []
})

/** Rows of history that this process deleted because their retention was over. */
export const purgedRows: Recorder<["table"]> = recorder({
  name: "parley_purged_rows_total",
  description: "Rows of history that were deleted because their retention was over",
  labels: ["table"]
})

/** Lines of the request log that were lost, because the storage did not take them in time. */
export const requestLogLinesLost: Recorder<[]> = recorder({
  name: "parley_request_log_lines_lost_total",
  description: "Lines of the request log that were lost, because the storage did not take them in time",
  labels: []
})

/**
 * Makes the series that alerts look at, so that their first count is seen to rise from zero; called where a worker begins.
 */
export const beginAtZero = (): void => {
  for (const lane of lanes) jobFailures(0, lane)
  notificationsTold(0, "webhook_endpoint.disabled")
  notificationsTold(0, "connection.disconnected")
  notificationsTold(0, "workflow.runs_limited")
  for (const outcome of ["completed", "skipped", "failed", "stopped"]) runsEnded(0, outcome)
  leasesLost(0)
  requestLogLinesLost(0)
}
