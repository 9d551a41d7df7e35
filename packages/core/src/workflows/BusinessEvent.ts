import type { Instant } from "../Instant.js"

/** Something that happened in the caller's system, as `POST /events` told it (spec, POST /events). */
export interface BusinessEvent {
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string
  /** Such as `order.shipped`. */
  readonly name: string
  readonly contactId: string
  readonly dedupeKey: string | null
  readonly idempotencyKey: string
  /** As it was given. */
  readonly data: { readonly [key: string]: unknown }
  readonly createdAt: Instant
}
