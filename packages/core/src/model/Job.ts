import type { Instant } from "./Instant.js"

/**
 * The lanes of the job queue, each with its own concurrency (docs/reference/queue.md#lanes): `sends` to providers,
 * scheduled `receipts`, first attempts of `deliveries`, their `retries`, deliveries to `subscriptions`, `fetches` from
 * providers (files, mailboxes, profile names, templates), `downloads` of files to send, `runs` of workflows and bots,
 * webhook `calls` of workflows, requests that applications `enqueued`, and `housekeeping`. `parked` holds the jobs of
 * the others that failed too often (docs/reference/queue.md#parked-jobs).
 */
export const lanes = [
  "sends",
  "receipts",
  "deliveries",
  "retries",
  "subscriptions",
  "fetches",
  "downloads",
  "runs",
  "calls",
  "enqueued",
  "housekeeping",
  "parked"
] as const
export type Lane = (typeof lanes)[number]

/**
 * Whether a claim counts as an attempt. In `sends`, the attempt is counted just before the provider is called
 * (docs/reference/sends.md#journal-before-the-call). A parked job that is claimed is given up and not tried.
 */
export const countsAtClaim = (lane: Lane): boolean => lane !== "sends" && lane !== "parked"

/**
 * Whether jobs of a lane become due later than their commit, such as after a failure or a wait. First webhook attempts
 * do not: their retries have a lane of their own.
 */
export const becomesDueLater = (lane: Lane): boolean => lane !== "deliveries"

/**
 * Whether a process claims only the jobs of the subjects that it serves: the functions that handle a subscription's
 * events are in some processes only (docs/reference/webhooks.md#subscriptions).
 */
export const isServedBySubject = (lane: Lane): boolean => lane === "subscriptions"

/** The failures of a job's handler since the last claim that was settled (docs/reference/queue.md#failed-handlers). */
export interface JobFailure {
  /** The lane whose handler failed, to which a parked job returns. */
  readonly lane: Lane
  /** Number of failures in a row; 0 if the job {@link waitsForKey}. */
  readonly count: number
  /** Time of the first failure, or the start of the wait, in ms. */
  readonly since: Instant
  /** Message of the last error, at most {@link maxFailureText} characters. */
  readonly error: string
}

/** Whether the host of the last try could not open sealed data of the job, which counts as no failure. */
export const waitsForKey = ({ failure }: Pick<Job, "failure">): boolean => failure !== null && failure.count === 0

/** Maximum length of {@link JobFailure.error} in characters. */
export const maxFailureText = 500

/** The due time of a parked job that waits for an administrator: the end of the year 9999, in ms. */
export const neverDue: Instant = Date.UTC(9999, 11, 31, 23, 59, 59)

/** Durable work, which survives its process. A finished job is deleted (docs/reference/queue.md#job-life). */
export interface Job {
  readonly id: string
  readonly workspaceId: string
  readonly lane: Lane
  /** Id of the resource with a concurrency limit inside the lane: a connection, an endpoint. */
  readonly subject: string
  /** Id of the resource that the job works on: a message, a delivery. */
  readonly reference: string
  /** Further parameters, as JSON. */
  readonly payload: { readonly [key: string]: unknown } | null
  readonly runAt: Instant
  /** End of the lease of {@link leaseOwner}; 0 if unleased. */
  readonly leaseUntil: Instant
  readonly leaseOwner: string | null
  /**
   * Fencing token, raised by every claim: a settle with an older epoch is `Fenced`. Starts at the creation time in ms,
   * so that a job recreated under the same id never repeats an earlier epoch.
   */
  readonly epoch: number
  /** Claims so far, in the lanes of {@link countsAtClaim}; in `sends`, calls of the provider that were begun. */
  readonly attempts: number
  /** Null if the last claim was settled. */
  readonly failure: JobFailure | null
  readonly createdAt: Instant
}

/**
 * Number of claims, including the present one, that were not settled and have no recorded failure. The processes of all
 * but the present one ended, or lost the lease. `settled`, which payloads store: number of claims at the last settle.
 */
export const unsettledClaims = ({ attempts, failure }: Pick<Job, "attempts" | "failure">, settled: number): number =>
  attempts - settled - (failure?.count ?? 0)

/** Time in ms from which a worker may claim the job (docs/reference/queue.md#due-time). */
export const dueAtOf = ({ leaseUntil, runAt }: Pick<Job, "leaseUntil" | "runAt">): Instant =>
  Math.max(runAt, leaseUntil)

/** A lease that a job has when it is inserted (docs/reference/queue.md#jobs-leased-from-the-start). */
interface InitialLease {
  readonly owner: string
  readonly until: Instant
}

/** Whose capacity of a lane a job takes. */
export type JobOwner = Pick<Job, "workspaceId" | "subject">

/** The lease of a new job of this owner; null: a worker has to claim the job. */
export type LeaseFor = (owner: JobOwner) => InitialLease | null

/** Creates a job. With a lease, it is inserted as claimed by its creator. */
export const newJob = (
  job: Omit<Job, "leaseUntil" | "leaseOwner" | "epoch" | "attempts" | "failure">,
  lease: InitialLease | null = null
): Job => ({
  id: job.id,
  workspaceId: job.workspaceId,
  lane: job.lane,
  subject: job.subject,
  reference: job.reference,
  payload: job.payload,
  runAt: job.runAt,
  createdAt: job.createdAt,
  leaseUntil: lease?.until ?? 0,
  leaseOwner: lease?.owner ?? null,
  epoch: job.createdAt,
  attempts: 0,
  failure: null
})

/** Creates a job that does a task for a resource, such as a contact or an endpoint. */
export const housekeepingJob = (
  id: string,
  { id: subject, workspaceId }: { readonly id: string; readonly workspaceId: string },
  payload: { readonly task: string } & Job["payload"],
  now: Instant,
  runAt: Instant = now
): Job => newJob({ id, workspaceId, lane: "housekeeping", subject, reference: subject, payload, runAt, createdAt: now })
