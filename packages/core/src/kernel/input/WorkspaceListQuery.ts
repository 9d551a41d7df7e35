import { Schema } from "effect"
import { filters, listFields } from "./ListQuery.js"
import { type PartialDecode, partialDecode } from "./PartialDecode.js"

/** The query of a list that can be narrowed to one workspace. */
export const WorkspaceListQuery = Schema.Struct({
  ...listFields,
  workspaceId: filters.workspaceId
})
export type WorkspaceListQuery = typeof WorkspaceListQuery.Type

export const decodeWorkspaceListQuery = partialDecode(WorkspaceListQuery)

/** The column filter of the query. */
export const ofWorkspace = ({
  value: { workspaceId }
}: PartialDecode<WorkspaceListQuery>): { readonly workspaceId: string | null | undefined } => ({ workspaceId })
