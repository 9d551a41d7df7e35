import { Schema } from "effect"
import { dateOrTime } from "../../kernel/input/DateOrTime.js"
import { text } from "../../kernel/input/Fields.js"
import { listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { ownerFields } from "../../kernel/input/ownerFields.js"
import { field } from "../../kernel/input/wire.js"

/** The query of `GET /audit-log` (docs/reference/administration.md#audit-log). */
export const AuditLogQuery = Schema.Struct({
  ...listFields,
  ...ownerFields,
  action: field(queryFilter(text(100)), { description: "Only those of this kind, such as `api_key.issued`." }),
  since: field(queryFilter(dateOrTime), { description: "Only those of this date or time or later." })
})
export type AuditLogQuery = typeof AuditLogQuery.Type
