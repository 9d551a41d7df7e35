import { Schema } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { oneOf, uuid } from "../../input/Fields.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"
import { RunStatus } from "../../workflows/runs/Run.js"

const filters = {
  contactId: queryFilter(uuid).pipe(Schema.fromKey("contact_id")),
  status: queryFilter(oneOf(RunStatus.literals))
}

/** The query of `GET /workflows/{id}/runs`. */
export const RunsOfWorkflowQuery = Schema.Struct({ ...listFields, ...filters })
export type RunsOfWorkflowQuery = typeof RunsOfWorkflowQuery.Type

/** The query of `GET /workflow-runs`. */
export const RunListQuery = Schema.Struct({
  ...listFields,
  workspaceId: queryFilter(uuid).pipe(Schema.fromKey("workspace_id")),
  ...filters
})
export type RunListQuery = typeof RunListQuery.Type

/** What is wrong with a query for a status in every workspace: a status narrows a list down, and no index finds it alone. */
export const missingOwner = ({ contactId, status, workspaceId }: Partial<RunListQuery>): Problems =>
  status != null && workspaceId === null && contactId === null
    ? { workspace_id: ["is required with status, unless contact_id is given"] }
    : {}
