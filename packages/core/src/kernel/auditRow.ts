import { type AuditEntry, byAdministrator } from "../model/AuditEntry.js"
import type { Instant } from "../model/Instant.js"
import { type RowOf, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"

/**
 * Audit row of an administrator's change, for the commit of that change (docs/reference/administration.md#audit-log).
 * The {@link Decider} replaces the actor by the current administrator.
 */
export const auditRow = (
  entry: Pick<AuditEntry, "workspaceId" | "applicationId" | "action" | "subjectId">,
  now: Instant,
  ids: Ids
): RowOf<"auditLog"> => row("auditLog", { ...entry, id: ids.next(now), actor: byAdministrator, createdAt: now })
