import { Schema } from "effect"
import { uuid } from "../input/Fields.js"
import { queryFilter } from "../input/ListQuery.js"

/** The query fields of a list that can be narrowed to one workspace and one application; an index serves both. */
export const ownerFields = {
  workspaceId: queryFilter(uuid).pipe(Schema.fromKey("workspace_id")),
  applicationId: queryFilter(uuid).pipe(Schema.fromKey("application_id"))
}
