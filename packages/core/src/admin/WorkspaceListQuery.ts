import { Schema } from "effect"
import { draft } from "../input/Draft.js"
import { uuid } from "../input/Fields.js"
import { listFields, queryFilter } from "../input/ListQuery.js"

/** The query of a list that can be narrowed to one workspace. */
export const WorkspaceListQuery = Schema.Struct({
  ...listFields,
  workspaceId: queryFilter(uuid).pipe(Schema.fromKey("workspace_id"))
})
export type WorkspaceListQuery = typeof WorkspaceListQuery.Type

export const workspaceListQueryDraft = draft(WorkspaceListQuery)

/** The filters of such a list, and what they mean. */
export const workspaceFilter = (
  workspaceId: string | null | undefined
): { readonly filters: { readonly workspace_id: string | null }; readonly where: { readonly workspaceId?: string } } =>
  workspaceId == null
    ? { filters: { workspace_id: null }, where: {} }
    : { filters: { workspace_id: workspaceId }, where: { workspaceId } }
