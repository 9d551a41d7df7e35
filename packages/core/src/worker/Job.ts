import type { Instant } from "../Instant.js"

/**
 * The queues that are worked off apart from each other: `sends` to providers, `receipts` that a provider foretold, first
 * attempts at `deliveries`, their `retries`, and `housekeeping`.
 */
export const lanes = ["sends", "receipts", "deliveries", "retries", "housekeeping"] as const
export type Lane = (typeof lanes)[number]

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
  /** Raised by every claim; whoever settles with an older one has lost the job. */
  readonly epoch: number
  /** Claims so far. */
  readonly attempts: number
  readonly createdAt: Instant
}
