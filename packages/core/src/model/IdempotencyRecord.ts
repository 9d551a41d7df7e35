import type { Instant } from "./Instant.js"

/**
 * The stored response of a request with an `Idempotency-Key`; primary key (application, key). A record exists only if
 * the operation was carried out (docs/reference/idempotency.md#record-states). Three other things are records too:
 *
 * - the permanent names of declared parts: `applicationId` is `partsScope` or `workspaceScope` (`declaredPart.ts`)
 * - for 30 days, the outcomes of enqueued requests: the key is `enqueued\u0001<id>` (`enqueuedOutcome.ts`)
 * - permanently, one record of how far deliveries are purged (`purgedDeliveries.ts`)
 */
export interface IdempotencyRecord {
  readonly workspaceId: string
  readonly applicationId: string
  readonly key: string
  /** SHA-256 of method, path and canonical body, in lower-case hex. */
  readonly fingerprint: string
  /** `awaiting`: a process waits for the provider's verdict, at most until {@link deadline}. */
  readonly state: "awaiting" | "done"
  readonly deadline: Instant
  /** HTTP status of the response. */
  readonly status: number
  /** Response body as sent: JSON text. */
  readonly body: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly version: number
}
