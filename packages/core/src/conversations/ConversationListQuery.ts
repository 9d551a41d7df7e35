import { Schema } from "effect"
import { oneOf, uuid } from "../input/Fields.js"
import { listFields, queryFilter } from "../input/ListQuery.js"
import { ConversationStatus } from "./Conversation.js"

/** The query of `GET /conversations` (spec). */
export const ConversationListQuery = Schema.Struct({
  ...listFields,
  contactId: queryFilter(uuid).pipe(Schema.fromKey("contact_id")),
  connectionId: queryFilter(uuid).pipe(Schema.fromKey("connection_id")),
  status: queryFilter(oneOf(ConversationStatus.literals))
})
export type ConversationListQuery = typeof ConversationListQuery.Type
