import { Schema } from "effect"
import { filters, listFields } from "../../kernel/input/ListQuery.js"

/** The query of `GET /messages` of the administration. */
export const MessageListQuery = Schema.Struct({
  ...listFields,
  workspaceId: filters.workspaceId,
  contactId: filters.contactId,
  conversationId: filters.conversationId
})
export type MessageListQuery = typeof MessageListQuery.Type
