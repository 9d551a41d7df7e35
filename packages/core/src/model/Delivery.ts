import type { Instant } from "./Instant.js"

/** The delivery of one event to one endpoint (docs/reference/webhooks.md#delivery-states). */
export interface Delivery {
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string
  readonly endpointId: string
  readonly eventId: string
  readonly status: "pending" | "delivered" | "failed"
  /** Attempts so far, including those before a replay. */
  readonly attempts: number
  /** Attempts since the last replay; the position in the retry schedule. */
  readonly round: number
  readonly createdAt: Instant
  readonly completedAt: Instant | null
  readonly version: number
}

/** One HTTP request of a delivery, with its response. The id is the `X-Delivery-ID`. */
export interface Attempt {
  readonly id: string
  readonly workspaceId: string
  readonly deliveryId: string
  readonly endpointId: string
  /** 1-based. */
  readonly number: number
  readonly startedAt: Instant
  readonly durationMs: number
  /** HTTP status of the response; null without a response, and for subscriptions. */
  readonly status: number | null
  /** Description of the failure, if there was no response or a subscription's function failed. */
  readonly error: string | null
  /** First 4 KiB of the response body. */
  readonly answer: string | null
}
