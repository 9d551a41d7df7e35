import { Schema } from "effect"
import { oneOf } from "../../kernel/input/Fields.js"
import { filters, listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { field } from "../../kernel/input/wire.js"
import { lanes } from "../../model/Job.js"

/** The query of `GET /jobs` (docs/reference/administration.md#jobs). */
export const JobListQuery = Schema.Struct({
  ...listFields,
  workspaceId: filters.workspaceId,
  lane: field(queryFilter(oneOf(lanes)), {
    description: "Only those in this lane of the queue. `parked`: those that failed too often."
  })
})
export type JobListQuery = typeof JobListQuery.Type
