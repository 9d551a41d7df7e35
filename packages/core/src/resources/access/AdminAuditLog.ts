import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { AuditEntry } from "../../model/AuditEntry.js"
import { type ReadError, Storage } from "../../ports/Storage.js"
import type { AuditLogQuery } from "./AuditLogQuery.js"

/** Reads the audit log: who changed access, and when (docs/reference/administration.md#audit-log). */
export interface AdminAuditLog {
  /** Newest first. An entry about a whole workspace has no application. */
  readonly list: (query: PartialDecode<AuditLogQuery>) => Effect.Effect<Listed<AuditEntry>, Refusal | ReadError>
}
export const AdminAuditLog = Context.GenericTag<AdminAuditLog>("@parley/core/AdminAuditLog")

export const make = Effect.map(Storage, (storage) =>
  AdminAuditLog.of({
    list: (query) => {
      const { action = null, applicationId = null, since = null, workspaceId = null } = query.value
      return listNewestFirst(storage, { from: "auditLog", by: { workspaceId, applicationId, action }, since }, query)
    }
  })
)
