import { lanes } from "../../model/Job.js"
import { durations } from "./durations.js"
import { type Recorder, recorder } from "./recorder.js"

// Metrics of the engine. docs/metrics.md has the meaning of each, and what to do when it is high.

/** Seconds from the call of `provider.send` to its verdict (docs/reference/messages.md#verdict-wait). */
export const sendSeconds: Recorder<["channel", "verdict"]> = recorder({
  name: "parley_send_duration_seconds",
  description: "From handing a message to its provider until the verdict",
  labels: ["channel", "verdict"],
  boundaries: durations
})

/**
 * Reason for postponing a send: the rate, a throttle hold, a connection that is not active, or one with as many sends
 * at once as its provider takes.
 */
export type PostponedBy = "rate" | "hold" | "connection" | "busy"

/** Number of postponements. One send may be postponed several times. */
export const sendsPostponed: Recorder<["channel", "by"]> = recorder({
  name: "parley_sends_postponed_total",
  description:
    "Sends that were put back, because of a rate, a hold of the provider, or a connection that is busy or not active",
  labels: ["channel", "by"]
})

/** Seconds of a webhook attempt. `outcome`: `accepted` (2xx), `refused` (another status) or `no_answer`. */
export const webhookAttemptSeconds: Recorder<["outcome"]> = recorder({
  name: "parley_webhook_attempt_duration_seconds",
  description: "From the start of a webhook attempt until its answer or its failure",
  labels: ["outcome"],
  boundaries: durations
})

/** Notifications that this process delivered to administrators, by kind, such as `webhook_endpoint.disabled`. */
export const notificationsSent: Recorder<["kind"]> = recorder({
  name: "parley_notifications_total",
  description: "Notifications to the administrators, such as that a webhook endpoint was disabled",
  labels: ["kind"]
})

/** Jobs whose handler failed. They are tried again (docs/reference/queue.md#failed-handlers). */
export const jobFailures: Recorder<["lane"]> = recorder({
  name: "parley_job_failures_total",
  description: "Jobs that failed unexpectedly and are tried again",
  labels: ["lane"]
})

/** Jobs that this process parked after too many failures, by their lane (docs/reference/queue.md#parked-jobs). */
export const jobsParked: Recorder<["lane"]> = recorder({
  name: "parley_jobs_parked_total",
  description: "Jobs that failed too often and wait for an administrator",
  labels: ["lane"]
})

/** Workflow runs that ended in this process. `outcome`: `completed`, `skipped`, `failed` or `stopped`. */
export const runsEnded: Recorder<["outcome"]> = recorder({
  name: "parley_workflow_runs_total",
  description: "Runs of workflows that came to an end",
  labels: ["outcome"]
})

/** Jobs whose lease was lost while this process was running them (docs/reference/queue.md#lost-leases). */
export const leasesLost: Recorder<["reason"]> = recorder({
  name: "parley_leases_lost_total",
  description: "Jobs whose lease was gone while this process still worked on them",
  labels: ["reason"]
})

/** History rows that this process purged after their retention. */
export const purgedRows: Recorder<["table"]> = recorder({
  name: "parley_purged_rows_total",
  description: "Rows of history that were deleted because their retention was over",
  labels: ["table"]
})

/** Request log rows that were dropped, because the storage did not accept them in time. */
export const requestLogLinesLost: Recorder<[]> = recorder({
  name: "parley_request_log_lines_lost_total",
  description: "Lines of the request log that were lost, because the storage did not take them in time",
  labels: []
})

/** Initialises the series of alerts to 0, so that `rate()` sees the first increment. Called when a worker starts. */
export const initialiseCounters = (): void => {
  for (const lane of lanes) {
    jobFailures(0, lane)
    if (lane !== "parked") jobsParked(0, lane)
  }
  notificationsSent(0, "job.parked")
  notificationsSent(0, "webhook_endpoint.disabled")
  notificationsSent(0, "connection.disconnected")
  notificationsSent(0, "connection.news")
  notificationsSent(0, "workflow.runs_limited")
  for (const outcome of ["completed", "skipped", "failed", "stopped"]) runsEnded(0, outcome)
  for (const reason of ["stolen", "stalled", "replaced"]) leasesLost(0, reason)
  requestLogLinesLost(0)
}
