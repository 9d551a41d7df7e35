import { Schema } from "effect"
import { uuid } from "../../kernel/input/Fields.js"
import { keyGiven } from "../../kernel/input/Key.js"
import { filters, listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { joinProblems, type PartialDecode } from "../../kernel/input/PartialDecode.js"
import { field, wire } from "../../kernel/input/wire.js"

/** The query of `GET /leads` of the administration. */
export const LeadListQuery = Schema.Struct({
  ...listFields,
  workspaceId: filters.workspaceId,
  contactId: filters.contactId,
  pipelineId: wire("pipeline_id", queryFilter(uuid), { description: "Only those in this pipeline." }),
  stage: field(queryFilter(keyGiven), {
    description: "Only those in the stage of this key; requires `pipeline_id`."
  })
})
export type LeadListQuery = typeof LeadListQuery.Type

/**
 * The query, with a problem at `pipeline_id` where a stage is named without it: keys of stages are those of a pipeline.
 */
export const requirePipeline = (query: PartialDecode<LeadListQuery>): PartialDecode<LeadListQuery> =>
  query.value.stage != null && query.value.pipelineId === null
    ? { ...query, problems: joinProblems(query.problems, { pipeline_id: ["is required with stage"] }) }
    : query
