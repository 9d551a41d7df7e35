import { Schema } from "effect"
import { Channel } from "../channels/Channel.js"
import { hour, Timestamp } from "../Instant.js"
import { type Conversation, ConversationStatus } from "./Conversation.js"

const fields = {
  id: Schema.String,
  contactId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("contact_id")),
  connectionId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("connection_id")),
  channel: Channel,
  status: ConversationStatus,
  assignedUserId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("assigned_user_id")),
  assignedTeamId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("assigned_team_id")),
  lastActivityAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("last_activity_at")),
  serviceWindowExpiresAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(
    Schema.fromKey("service_window_expires_at")
  ),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}

/** A conversation on the wire (decisions.md §9). */
export const ConversationResource = Schema.Struct(fields).annotations({ identifier: "Conversation" })

/** A conversation on the wire of the administration, which sees every workspace and the customer's handle. */
export const AdminConversationResource = Schema.Struct({
  ...fields,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  handle: Schema.String
}).annotations({ identifier: "AdminConversation" })

/** When free text ends to be allowed; null where the customer never wrote or the channel has no window. */
export const serviceWindowExpiresAt = (
  conversation: Pick<Conversation, "lastInboundAt">,
  serviceWindowHours: number | null
): number | null =>
  serviceWindowHours === null || conversation.lastInboundAt === 0
    ? null
    : conversation.lastInboundAt + serviceWindowHours * hour

/** What is told of a conversation; the schema leaves out what is not for its readers. */
export const conversationResource = (
  conversation: Conversation,
  serviceWindowHours: number | null
): typeof AdminConversationResource.Type => ({
  ...conversation,
  serviceWindowExpiresAt: serviceWindowExpiresAt(conversation, serviceWindowHours)
})
export const encodeConversation = (
  conversation: Conversation,
  serviceWindowHours: number | null
): typeof ConversationResource.Encoded =>
  Schema.encodeSync(ConversationResource)(conversationResource(conversation, serviceWindowHours))
