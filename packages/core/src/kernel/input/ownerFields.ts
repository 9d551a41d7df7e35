import { filters } from "./ListQuery.js"

/** The query fields of a list that can be narrowed to one workspace and one application; an index serves both. */
export const ownerFields = {
  workspaceId: filters.workspaceId,
  applicationId: filters.applicationId
}
