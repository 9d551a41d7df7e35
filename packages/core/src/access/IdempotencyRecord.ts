import type { Instant } from "../Instant.js"

/**
 * What an `Idempotency-Key` stands for: the operation that it carried out and the answer that it gave (decisions.md §5).
 * A record exists only for what was carried out; its key is the pair of application and key.
 */
export interface IdempotencyRecord {
  readonly workspaceId: string
  readonly applicationId: string
  readonly key: string
  /** Lower-case hex SHA-256 of method, path and canonical body. */
  readonly fingerprint: string
  /** `awaiting`: a process waits for the provider's verdict, until {@link deadline}. */
  readonly state: "awaiting" | "done"
  readonly deadline: Instant
  /** The HTTP status of the answer. */
  readonly status: number
  /** The answer's body as it went out: JSON text. */
  readonly body: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly version: number
}
