import type { Instant } from "../Instant.js"

/** The actor of what was done through the admin API. */
export const byAdministrator = "admin"

/** One line of a workspace's audit log: who changed what about access, and when (spec, Authentication 7). */
export interface AuditEntry {
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string | null
  /** Who did it: `admin`, or `admin: grace` where the administrator says who it is. */
  readonly actor: string
  /** What was done, such as `api_key.issued`. */
  readonly action: string
  /** The id of what it was done to. */
  readonly subjectId: string
  readonly createdAt: Instant
}
