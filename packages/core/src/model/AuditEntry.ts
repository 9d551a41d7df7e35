import type { Instant } from "./Instant.js"

/** Actor of changes through the admin API, without a name. */
export const byAdministrator = "admin"

/**
 * An entry of the audit log: a change of access or administration, its actor and time
 * (docs/reference/administration.md#audit-log).
 */
export interface AuditEntry {
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string | null
  /** `admin`, or `admin: grace` if the administrator sent a name (docs/reference/administration.md#actor). */
  readonly actor: string
  /** For example `api_key.issued`. */
  readonly action: string
  /** Id of the changed resource. */
  readonly subjectId: string
  readonly createdAt: Instant
}
