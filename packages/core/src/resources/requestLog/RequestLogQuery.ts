import { Schema } from "effect"
import { dateOrTime } from "../../kernel/input/DateOrTime.js"
import { oneOf } from "../../kernel/input/Fields.js"
import { listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { ownerFields } from "../../kernel/input/ownerFields.js"
import { field } from "../../kernel/input/wire.js"
import { statusFilter } from "./statusFilter.js"

/** The query of `GET /request-log` (docs/reference/administration.md#request-log). */
export const RequestLogQuery = Schema.Struct({
  ...listFields,
  ...ownerFields,
  method: field(queryFilter(oneOf(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])), {
    description: "Only those with this HTTP method."
  }),
  status: field(queryFilter(statusFilter), { description: "Only those with this status." }),
  /** Only requests that came then or later: it ends the walk for a method or a status, which no index serves. */
  since: field(queryFilter(dateOrTime), { description: "Only those of this date or time or later." })
})
export type RequestLogQuery = typeof RequestLogQuery.Type
