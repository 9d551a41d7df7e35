import { Schema } from "effect"
import { uuid } from "../input/Fields.js"
import { queryFilter } from "../input/ListQuery.js"

/** The query fields of a list that can be narrowed to one workspace and one application; an index serves both. */
export const ownerFields = {
  workspaceId: queryFilter(uuid).pipe(Schema.fromKey("workspace_id")),
  applicationId: queryFilter(uuid).pipe(Schema.fromKey("application_id"))
}

/** Whose rows are wanted; null or undefined: everybody's. */
interface Owners {
  readonly workspaceId?: string | null
  readonly applicationId?: string | null
}

/** The filters of such a list, and what they mean. */
export const ownerFilter = ({
  workspaceId,
  applicationId
}: Owners): {
  readonly filters: { readonly workspace_id: string | null; readonly application_id: string | null }
  readonly where: { readonly workspaceId?: string; readonly applicationId?: string }
} => ({
  filters: { workspace_id: workspaceId ?? null, application_id: applicationId ?? null },
  where: {
    ...(workspaceId == null ? {} : { workspaceId }),
    ...(applicationId == null ? {} : { applicationId })
  }
})
