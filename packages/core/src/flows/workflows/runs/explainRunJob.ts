import { type Instant, timestamp } from "../../../model/Instant.js"
import { type Job, neverDue } from "../../../model/Job.js"

/** State of the job of a run. `retrying`: its last try failed. `parked`: it failed too often. */
export const runJobStates = ["leased", "due", "waiting", "retrying", "parked"] as const

/**
 * Where the job of a run is in the queue, and why (docs/reference/administration.md#workflow-and-bot-administration).
 */
export interface RunJob {
  readonly id: string
  readonly state: (typeof runJobStates)[number]
  /** One or two sentences. */
  readonly explanation: string
  /** Time of the next try in ms; null if an administrator has to retry it. */
  readonly nextAt: Instant | null
  /** The process that runs it now; null if none does. */
  readonly leaseOwner: string | null
  /** Message of the last error, or of what it waits for; null if the last try did not fail. */
  readonly error: string | null
}

/** Explains the job of a run that has not ended. `now`: in ms. */
export const explainRunJob = (job: Job, now: Instant): RunJob => {
  const { failure, leaseUntil, runAt } = job
  const isLeased = leaseUntil > now
  return {
    id: job.id,
    ...explained(job, now),
    nextAt: runAt >= neverDue ? null : Math.max(runAt, leaseUntil),
    leaseOwner: isLeased ? job.leaseOwner : null,
    error: failure?.error ?? null
  }
}

const explained = (
  { failure, lane, leaseOwner, leaseUntil, runAt }: Job,
  now: Instant
): Pick<RunJob, "explanation" | "state"> => {
  if (lane === "parked") {
    return { state: "parked", explanation: `Its job failed ${failure?.count} times and is parked: ${failure?.error}.` }
  }
  if (leaseUntil > now) {
    return {
      state: "leased",
      explanation: `Process ${leaseOwner} runs it. Its lease ends at ${timestamp(leaseUntil)} unless it is renewed.`
    }
  }
  if (failure !== null) {
    const { count, error } = failure
    const reason = count === 0 ? `It waits: ${error}` : `Its job failed ${count} times, the last time with: ${error}`
    return { state: "retrying", explanation: `${reason}. The next try is at ${timestamp(runAt)}.` }
  }
  return runAt <= now
    ? {
        state: "due",
        explanation: `It is due since ${timestamp(Math.max(runAt, leaseUntil))}, and no worker has claimed it.`
      }
    : { state: "waiting", explanation: `It goes on at ${timestamp(runAt)}.` }
}
