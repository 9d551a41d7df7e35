import { Schema } from "effect"
import { component, connectionId, contactId, createdAt, field, ids, nullableId, wire } from "../../kernel/input/wire.js"
import { Channel } from "../../model/Channel.js"
import { type Conversation, ConversationStatus } from "../../model/Conversation.js"
import { Timestamp } from "../../model/Instant.js"
import { serviceWindowExpiresAt } from "./serviceWindow.js"

/** The fields that all readers see. */
export const conversationFields = {
  id: ids.conversation,
  contactId,
  connectionId,
  channel: field(Channel, { examples: ["whatsapp"] }),
  status: ConversationStatus,
  assignedUserId: wire("assigned_user_id", Schema.NullOr(ids.agent)),
  assignedTeamId: wire("assigned_team_id", nullableId),
  lastActivityAt: wire("last_activity_at", Timestamp, { description: "When the last message went in or out." }),
  serviceWindowExpiresAt: wire("service_window_expires_at", Schema.NullOr(Timestamp), {
    description: "When the service window closes; null if the customer never wrote, or the channel has no window."
  }),
  createdAt
}

/** A conversation on the wire (docs/reference/conversations.md#conversation-fields). */
export const ConversationResource = component(
  "Conversation",
  "All messages with one handle on one connection.",
  conversationFields
)

/** The wire form of a conversation; the schema omits fields that its readers must not see. */
export const conversationResource = (
  conversation: Conversation,
  serviceWindowHours: number | null
): typeof ConversationResource.Type & Conversation => ({
  ...conversation,
  serviceWindowExpiresAt: serviceWindowExpiresAt(conversation, serviceWindowHours)
})
export const encodeConversation = (
  conversation: Conversation,
  serviceWindowHours: number | null
): typeof ConversationResource.Encoded =>
  Schema.encodeSync(ConversationResource)(conversationResource(conversation, serviceWindowHours))
