import { Schema } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { oneOf } from "../../kernel/input/Fields.js"
import { filters, listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { field } from "../../kernel/input/wire.js"
import { RunStatus } from "../../model/Run.js"

const runFilters = {
  contactId: filters.contactId,
  status: field(queryFilter(oneOf(RunStatus.literals)), { description: "Only those with this status." })
}

/** The query of `GET /workflows/{id}/runs`. */
export const RunsOfWorkflowQuery = Schema.Struct({ ...listFields, ...runFilters })
export type RunsOfWorkflowQuery = typeof RunsOfWorkflowQuery.Type

/** The query of `GET /workflow-runs`. */
export const RunListQuery = Schema.Struct({
  ...listFields,
  workspaceId: filters.workspaceId,
  ...runFilters
})
export type RunListQuery = typeof RunListQuery.Type

/**
 * What is wrong with a query for a status in every workspace: a status narrows a list down, and no index finds it
 * alone.
 */
export const missingOwner = ({ contactId, status, workspaceId }: Partial<RunListQuery>): Problems =>
  status != null && workspaceId === null && contactId === null
    ? { workspace_id: ["is required with status, unless contact_id is given"] }
    : {}
