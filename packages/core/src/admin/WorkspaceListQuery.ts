import { Schema } from "effect"
import { type Draft, draft } from "../input/Draft.js"
import { uuid } from "../input/Fields.js"
import { listFields, queryFilter } from "../input/ListQuery.js"

/** The query of a list that can be narrowed to one workspace. */
export const WorkspaceListQuery = Schema.Struct({
  ...listFields,
  workspaceId: queryFilter(uuid).pipe(Schema.fromKey("workspace_id"))
})
export type WorkspaceListQuery = typeof WorkspaceListQuery.Type

export const workspaceListQueryDraft = draft(WorkspaceListQuery)

/** What such a query chooses rows by. */
export const ofWorkspace = ({
  value: { workspaceId }
}: Draft<WorkspaceListQuery>): { readonly workspaceId: string | null | undefined } => ({ workspaceId })
