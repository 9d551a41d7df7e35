import type { Instant } from "./Instant.js"

/** An event of the caller's system, recorded by `POST /events` (docs/reference/events.md#business-events). */
export interface BusinessEvent {
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string
  /** For example `order.shipped`. */
  readonly name: string
  readonly contactId: string
  readonly dedupeKey: string | null
  readonly idempotencyKey: string
  /** Unchanged from the request. */
  readonly data: { readonly [key: string]: unknown }
  readonly createdAt: Instant
}
