import { Schema } from "effect"
import { uuid } from "../../input/Fields.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"

/** The query of `GET /messages` of the administration. */
export const MessageListQuery = Schema.Struct({
  ...listFields,
  workspaceId: queryFilter(uuid).pipe(Schema.fromKey("workspace_id")),
  contactId: queryFilter(uuid).pipe(Schema.fromKey("contact_id")),
  conversationId: queryFilter(uuid).pipe(Schema.fromKey("conversation_id"))
})
export type MessageListQuery = typeof MessageListQuery.Type
