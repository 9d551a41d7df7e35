import { Schema } from "effect"
import { dateOrTime } from "../../input/DateOrTime.js"
import { oneOf } from "../../input/Fields.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"
import { ownerFields } from "../ownerFields.js"
import { statusFilter } from "./statusFilter.js"

/** The query of `GET /request-log` (decisions.md §14). */
export const RequestLogQuery = Schema.Struct({
  ...listFields,
  ...ownerFields,
  method: queryFilter(oneOf(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])),
  status: queryFilter(statusFilter),
  /** Only requests that came then or later: it ends the walk for a method or a status, which no index serves. */
  since: queryFilter(dateOrTime)
})
export type RequestLogQuery = typeof RequestLogQuery.Type
