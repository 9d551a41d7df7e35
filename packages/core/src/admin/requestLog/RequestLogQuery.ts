import { Schema } from "effect"
import { draft } from "../../input/Draft.js"
import { oneOf } from "../../input/Fields.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"
import { ownerFields } from "../ownerFilter.js"
import { statusFilter } from "./statusFilter.js"

/** The query of `GET /request-log` (decisions.md §14). */
export const RequestLogQuery = Schema.Struct({
  ...listFields,
  ...ownerFields,
  method: queryFilter(oneOf(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])),
  status: queryFilter(statusFilter)
})
export type RequestLogQuery = typeof RequestLogQuery.Type

export const requestLogQueryDraft = draft(RequestLogQuery)
