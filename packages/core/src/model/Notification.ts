import type { Instant } from "./Instant.js"

/**
 * A notification for the administrators, written by the commit of its cause
 * (docs/reference/administration.md#notifications).
 */
export interface Notification {
  readonly id: string
  readonly workspaceId: string
  /** The application concerned; null if it concerns the whole workspace. */
  readonly applicationId: string | null
  /** For example `webhook_endpoint.disabled`. */
  readonly kind: string
  /** Id of the resource concerned. */
  readonly subjectId: string
  /** Human-readable: what happened and what to do. */
  readonly message: string
  readonly createdAt: Instant
}
