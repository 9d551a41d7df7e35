import type { Instant } from "../Instant.js"

/**
 * The queues that are worked off apart from each other: `sends` to providers, `receipts` that a provider foretold, first
 * attempts at `deliveries`, their `retries`, `fetches` from providers (files, mailboxes, templates), steps of
 * automations (`runs`) and the webhooks that these call (`calls`), and `housekeeping`.
 */
export const lanes = ["sends", "receipts", "deliveries", "retries", "fetches", "runs", "calls", "housekeeping"] as const
export type Lane = (typeof lanes)[number]

/** Whether the work of a lane may be done twice: webhooks may, but a message must not go out again (spec, Retries). */
export const isRepeatable = (lane: Lane): boolean => lane !== "sends"

/** A piece of work that outlives the process that asked for it. It is deleted when it is done. */
export interface Job {
  readonly id: string
  readonly workspaceId: string
  readonly lane: Lane
  /** What has a cap of its own inside the lane: a connection, an endpoint. */
  readonly subject: string
  /** What the work is about: a message, a delivery. */
  readonly reference: string
  /** What else the work needs to know, as plain data. */
  readonly payload: { readonly [key: string]: unknown } | null
  readonly runAt: Instant
  /** Until when {@link leaseOwner} alone may work on it; zero where nobody does. */
  readonly leaseUntil: Instant
  readonly leaseOwner: string | null
  /**
   * Raised by every claim; whoever settles with an older one has lost the job. It begins at the time of creation in ms, so
   * that a job made again under one id never meets an epoch of its past.
   */
  readonly epoch: number
  /** Claims so far. One that was not settled may have had effects outside (engine.md, External effects). */
  readonly attempts: number
  readonly createdAt: Instant
}

/** Who holds a job from the start, and until when. */
export interface InitialLease {
  readonly owner: string
  readonly until: Instant
}

/** A job that nobody has worked on yet; with a lease, it is already claimed by its maker. */
export const newJob = (
  job: Omit<Job, "leaseUntil" | "leaseOwner" | "epoch" | "attempts">,
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
  attempts: lease === null ? 0 : 1
})
