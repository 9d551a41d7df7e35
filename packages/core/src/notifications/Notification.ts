import type { Instant } from "../Instant.js"

/** Something that the administrators of a workspace should know, written by the commit that made it so. */
export interface Notification {
  readonly id: string
  readonly workspaceId: string
  /** The application that it concerns; null where it concerns them all. */
  readonly applicationId: string | null
  /** Such as `webhook_endpoint.disabled`. */
  readonly kind: string
  /** The id of what it is about. */
  readonly subjectId: string
  /** What happened and what can be done, for a person. */
  readonly message: string
  readonly createdAt: Instant
}
