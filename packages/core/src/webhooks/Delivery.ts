import type { Instant } from "../Instant.js"

/** The duty to bring one event to one endpoint. */
export interface Delivery {
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string
  readonly endpointId: string
  readonly eventId: string
  readonly status: "pending" | "delivered" | "failed"
  /** Attempts made so far, all rounds of replay counted. */
  readonly attempts: number
  /** Where in the retry schedule it stands: attempts of this round. */
  readonly round: number
  readonly createdAt: Instant
  readonly completedAt: Instant | null
  readonly version: number
}

/** One try at a delivery, with what came of it. Its id is the `X-Delivery-ID`. */
export interface Attempt {
  readonly id: string
  readonly workspaceId: string
  readonly deliveryId: string
  readonly endpointId: string
  /** 1-based. */
  readonly number: number
  readonly startedAt: Instant
  readonly durationMs: number
  /** The HTTP status of the answer; null where there was none. */
  readonly status: number | null
  /** Why there was no answer, in our own words. */
  readonly error: string | null
  /** The first 4 KiB of the answer. */
  readonly answer: string | null
}
