import { Schema } from "effect"
import { type FileLink, type FileLinks, unlinked } from "../attachments/fileLink.js"
import { type Instant, Timestamp, timestamp } from "../Instant.js"
import type { Message } from "./Message.js"

/** An attachment on the wire (decisions.md §8). `url` serves the file until `expires_at`; each reading has a new one. */
export const AttachmentResource = Schema.Struct({
  id: Schema.String,
  type: Schema.Literal("image", "video", "audio", "document", "sticker", "other"),
  contentType: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("content_type")),
  fileName: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("file_name")),
  size: Schema.Number,
  url: Schema.NullOr(Schema.String),
  expiresAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("expires_at"))
}).annotations({ identifier: "Attachment" })

const errorFields = { code: Schema.String, message: Schema.String }

const fields = {
  id: Schema.String,
  externalReference: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("external_reference")),
  conversationId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("conversation_id")),
  contactId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("contact_id")),
  connectionId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("connection_id")),
  direction: Schema.Literal("inbound", "outbound"),
  type: Schema.Literal("text", "template"),
  status: Schema.Literal("queued", "sent", "delivered", "read", "failed"),
  body: Schema.String,
  attachments: Schema.Array(AttachmentResource),
  error: Schema.NullOr(Schema.Struct(errorFields)),
  sentAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("sent_at")),
  deliveredAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("delivered_at")),
  readAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("read_at")),
  receivedAt: Schema.optional(Timestamp).pipe(Schema.fromKey("received_at"))
}

/** A message on the wire (spec, Message). */
export const MessageResource = Schema.Struct(fields).annotations({ identifier: "Message" })

/** A message on the wire of the administration, which sees whose it is and what it was made of. */
export const AdminMessageResource = Schema.Struct({
  ...fields,
  error: Schema.NullOr(
    Schema.Struct({
      ...errorFields,
      provider: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String }))
    })
  ),
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  applicationId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("application_id")),
  agentId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("agent_id")),
  workflowRunId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("workflow_run_id")),
  botSessionId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("bot_session_id")),
  subject: Schema.NullOr(Schema.String),
  templateName: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("template_name")),
  templateLanguage: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("template_language")),
  variables: Schema.Array(Schema.String),
  providerMessageId: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("provider_message_id")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "AdminMessage" })

/** The message as the wire carries it; the schema leaves out what is not for its readers. `received_at` is there on inbound ones only. */
export const messageResource = (message: Message, links: FileLinks): typeof AdminMessageResource.Type => {
  const { error, receivedAt, ...rest } = message
  const attachments = message.attachments.map((attachment) => ({ ...attachment, ...links(attachment.id) }))
  return {
    ...rest,
    error: error && { ...error, provider: error.provider ?? null },
    attachments,
    ...(receivedAt === null ? {} : { receivedAt })
  }
}

/** The message in the wire shape of the administration, for answers that are kept: without links, which do not last. */
export const encodeAdminMessage = (message: Message): typeof AdminMessageResource.Encoded =>
  Schema.encodeSync(AdminMessageResource)(messageResource(message, unlinked))

/**
 * What the public has, in wire shape, for events, which are kept: without links. By hand, since every event of a message needs
 * it, and the schema takes many times as long.
 */
export const encodeMessage = (message: Message): typeof MessageResource.Encoded => ({
  id: message.id,
  external_reference: message.externalReference,
  conversation_id: message.conversationId,
  contact_id: message.contactId,
  connection_id: message.connectionId,
  direction: message.direction,
  type: message.type,
  status: message.status,
  body: message.body,
  attachments: message.attachments.map(({ id, type, contentType, fileName, size }) => ({
    id,
    type,
    content_type: contentType,
    file_name: fileName,
    size,
    ...encodeFileLink(unlinked(id))
  })),
  error: message.error && { code: message.error.code, message: message.error.message },
  sent_at: timeText(message.sentAt),
  delivered_at: timeText(message.deliveredAt),
  read_at: timeText(message.readAt),
  ...(message.receivedAt === null ? {} : { received_at: timestamp(message.receivedAt) })
})

const timeText = (time: Instant | null): string | null => (time === null ? null : timestamp(time))

/** A link in wire shape. */
export const encodeFileLink = ({
  expiresAt,
  url
}: FileLink): Pick<typeof AttachmentResource.Encoded, "url" | "expires_at"> => ({
  url,
  expires_at: timeText(expiresAt)
})
