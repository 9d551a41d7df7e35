import { Schema } from "effect"
import { text } from "../../input/Fields.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"
import { ownerFields } from "../ownerFields.js"

/** The query of `GET /audit-log` (decisions.md §14). */
export const AuditLogQuery = Schema.Struct({ ...listFields, ...ownerFields, action: queryFilter(text(100)) })
export type AuditLogQuery = typeof AuditLogQuery.Type
