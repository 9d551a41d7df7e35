import { Context, Effect, Layer } from "effect"
import type { AuditEntry } from "../../access/AuditEntry.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import { type ReadError, Storage } from "../../ports/Storage.js"
import { listNewestFirst } from "../listNewestFirst.js"
import type { AuditLogQuery } from "./AuditLogQuery.js"

/** Reads the audit log: who changed what about access, and when (spec, Authentication 7; decisions.md §14). */
export interface AdminAuditLog {
  /** Newest first. What concerns a workspace as a whole is of no application. */
  readonly list: (query: Draft<AuditLogQuery>) => Effect.Effect<Listed<AuditEntry>, Refusal | ReadError>
}
export const AdminAuditLog = Context.GenericTag<AdminAuditLog>("@parley/core/AdminAuditLog")

const make = Effect.map(Storage, (storage) =>
  AdminAuditLog.of({
    list: (query) => {
      const { action = null, applicationId = null, workspaceId = null } = query.value
      return listNewestFirst(storage, { from: "auditLog", by: { workspaceId, applicationId, action } }, query)
    }
  })
)

export const layer: Layer.Layer<AdminAuditLog, never, Storage> = Layer.effect(AdminAuditLog, make)
