import { Schema } from "effect"
import { oneOf } from "../../kernel/input/Fields.js"
import { filters, listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { field } from "../../kernel/input/wire.js"
import { ConversationStatus } from "../../model/Conversation.js"

/** The query of `GET /conversations` (docs/reference/conversations.md#listing-conversations). */
export const ConversationListQuery = Schema.Struct({
  ...listFields,
  contactId: filters.contactId,
  connectionId: filters.connectionId,
  status: field(queryFilter(oneOf(ConversationStatus.literals)), { description: "Only those with this status." })
})
export type ConversationListQuery = typeof ConversationListQuery.Type
