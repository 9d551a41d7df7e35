import { Schema } from "effect"
import { dateOrTime } from "../../kernel/input/DateOrTime.js"
import { filters, listFields, queryFilter, queryFlag } from "../../kernel/input/ListQuery.js"
import { field } from "../../kernel/input/wire.js"

/** The query of `GET /messages` of the administration. */
export const MessageListQuery = Schema.Struct({
  ...listFields,
  workspaceId: filters.workspaceId,
  contactId: filters.contactId,
  conversationId: filters.conversationId,
  failed: field(queryFlag, { description: "Only failed ones." }),
  since: field(queryFilter(dateOrTime), { description: "Only those of this date or time or later." })
})
export type MessageListQuery = typeof MessageListQuery.Type
