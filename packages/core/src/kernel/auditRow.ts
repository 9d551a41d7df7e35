import type { AuditEntry } from "../model/AuditEntry.js"
import type { Instant } from "../model/Instant.js"
import { type RowOf, row } from "../ports/Changes.js"
import type { ActingIds } from "./actor.js"

/**
 * Audit row of an administrator's change, for the commit of that change (docs/reference/administration.md#audit-log).
 */
export const auditRow = (
  entry: Pick<AuditEntry, "workspaceId" | "applicationId" | "action" | "subjectId">,
  now: Instant,
  ids: ActingIds
): RowOf<"auditLog"> => row("auditLog", { ...entry, id: ids.next(now), actor: ids.actor, createdAt: now })
