import { Schema } from "effect"
import { type Draft, joinProblems } from "../../input/Draft.js"
import { uuid } from "../../input/Fields.js"
import { keyGiven } from "../../input/Key.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"

/** The query of `GET /leads` of the administration. */
export const LeadListQuery = Schema.Struct({
  ...listFields,
  workspaceId: queryFilter(uuid).pipe(Schema.fromKey("workspace_id")),
  contactId: queryFilter(uuid).pipe(Schema.fromKey("contact_id")),
  pipelineId: queryFilter(uuid).pipe(Schema.fromKey("pipeline_id")),
  stage: queryFilter(keyGiven)
})
export type LeadListQuery = typeof LeadListQuery.Type

/** The query, with a problem at `pipeline_id` where a stage is named without it: keys of stages are those of a pipeline. */
export const inPipeline = (query: Draft<LeadListQuery>): Draft<LeadListQuery> =>
  query.value.stage != null && query.value.pipelineId === null
    ? { ...query, problems: joinProblems(query.problems, { pipeline_id: ["is required with stage"] }) }
    : query
