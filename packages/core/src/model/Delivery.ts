import type { Instant } from "./Instant.js"

/** The delivery of one event to one endpoint (docs/reference/webhooks.md#delivery-states). */
export interface Delivery {
  readonly id: string
  readonly workspaceId: string
  /** As that of its endpoint. */
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
  /**
   * Id of the conversation whose deliveries go one after another (docs/reference/webhooks.md#order-of-a-conversation).
   * Null: it goes beside others, because its endpoint or event has no order, it ended, or it was replayed.
   */
  readonly orderKey: string | null
  /** Null if `orderKey` is. */
  readonly orderState: OrderState | null
  readonly version: number
}

/**
 * The state of a delivery among those of its endpoint and `orderKey`. `open`: it has a job, and none waited for it.
 * `followed`: it has a job, and others may wait for it. `waiting`: it has no job until one of the others ends.
 */
export type OrderState = "open" | "followed" | "waiting"

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
