import { type AuditEntry, byAdministrator } from "../access/AuditEntry.js"
import type { Instant } from "../Instant.js"
import { type RowOf, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"

/**
 * The audit-log row of something that an administrator did, for the commit that does it (spec, Authentication 7). The commit
 * adds what they call themselves.
 */
export const audited = (
  entry: Pick<AuditEntry, "workspaceId" | "applicationId" | "action" | "subjectId">,
  now: Instant,
  ids: Ids
): RowOf<"auditLog"> => row("auditLog", { ...entry, id: ids.next(now), actor: byAdministrator, createdAt: now })
