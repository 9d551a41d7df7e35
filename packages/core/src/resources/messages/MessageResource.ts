import { Schema } from "effect"
import { samples } from "../../kernel/input/samples.js"
import {
  component,
  contactId,
  conversationId,
  createdAt,
  field,
  ids,
  nullableId,
  wire,
  workspaceId
} from "../../kernel/input/wire.js"
import { type Instant, Timestamp, timestamp } from "../../model/Instant.js"
import { type Message, originOf } from "../../model/Message.js"
import { MessageContent, MessageType } from "../../model/MessageContent.js"
import { type FileLink, type FileLinks, unlinked } from "../attachments/fileLink.js"
import { encodeEnvelope, envelopeFields, envelopeResource } from "./EnvelopeResource.js"

/**
 * An attachment on the wire (docs/reference/messages.md#attachments). `url` serves the file until `expires_at`; each
 * reading has a new one.
 */
export const AttachmentResource = component("Attachment", "A file of a message.", {
  id: ids.attachment,
  type: Schema.Literal("image", "video", "audio", "voice", "document", "sticker", "other"),
  contentType: wire("content_type", Schema.String, {
    description: "As reported by the channel; otherwise `application/octet-stream`.",
    examples: ["image/jpeg"]
  }),
  fileName: wire("file_name", Schema.NullOr(Schema.String), {
    description: "The sender's file name, without folders.",
    examples: ["parcel.jpg"]
  }),
  size: field(Schema.Number, {
    description: "In bytes; 0 until the file was downloaded from the channel.",
    examples: [48_213]
  }),
  duration: field(Schema.optionalWith(Schema.Number, { exact: true }), {
    description: "Of a sound or a video, in seconds; absent if the channel does not say it."
  }),
  url: field(Schema.NullOr(Schema.String), {
    description:
      "Serves the file until `expires_at`, without a credential: each response and each attempt of a webhook has a new URL. It responds 503 with `Retry-After` until the file is downloaded, 404 if the download failed, 403 after the expiry. Null in webhooks of a service that does not know its own public URL.",
    examples: [
      "https://api.example.com/media/0190a1b2-0000-8000-8000-00000000001a?expires=1777890600&signature=wJalrXUtnFEMI_K7MDENG-bPxRfiCYEXAMPLEKEY0123"
    ]
  }),
  expiresAt: wire("expires_at", Schema.NullOr(Timestamp), {
    description: "End of the URL's validity. Reading the message again returns a new URL.",
    examples: [Date.parse("2026-05-04T10:30:00.000Z")]
  })
})

const errorFields = {
  code: field(Schema.String, { description: "A code of the error catalogue." }),
  message: Schema.String
}

const fields = {
  id: ids.message,
  externalReference: wire("external_reference", Schema.NullOr(Schema.String), {
    description: "What the caller gave when it sent the message.",
    examples: [samples.order]
  }),
  conversationId,
  contactId,
  connectionId: wire("connection_id", ids.connection, { description: "The channel connection that was used." }),
  direction: field(Schema.Literal("inbound", "outbound"), { examples: ["outbound"] }),
  type: field(MessageType, { examples: ["template"] }),
  status: field(Schema.Literal("queued", "sent", "delivered", "read", "failed"), {
    description: "An inbound message is `delivered`.",
    examples: ["delivered"]
  }),
  body: field(Schema.String, {
    description: "The readable text of every type: of a template the rendered one, of media the caption.",
    examples: [samples.text]
  }),
  subject: field(Schema.NullOr(Schema.String), { description: "Of an email." }),
  attachments: field(Schema.Array(AttachmentResource), { description: "Empty without attachments.", examples: [[]] }),
  content: field(Schema.NullOr(MessageContent), {
    description: "Content beyond text and files, by its `type`; null for text, templates and media.",
    examples: [null]
  }),
  origin: field(Schema.Literal("application", "agent", "workflow", "bot", "customer", "external"), {
    description: "Who wrote it; `external`: the business, outside of this service, such as in the channel's own app.",
    examples: ["application"]
  }),
  ...envelopeFields,
  error: Schema.NullOr(Schema.Struct(errorFields)).annotations({ description: "Why it failed." }),
  sentAt: wire("sent_at", Schema.NullOr(Timestamp), { examples: [Date.parse(samples.sent)] }),
  deliveredAt: wire("delivered_at", Schema.NullOr(Timestamp), { examples: [Date.parse(samples.delivered)] }),
  readAt: wire("read_at", Schema.NullOr(Timestamp)),
  receivedAt: wire("received_at", Schema.optional(Timestamp), {
    description: "Of inbound messages, and of those that the business wrote elsewhere."
  })
}

/** A message on the wire (docs/reference/messages.md#message-fields). */
export const MessageResource = component("Message", "A message, in or out. Its status never runs backwards.", fields)

/** A message on the wire of the administration, which sees whose it is and what it was made of. */
export const AdminMessageResource = component("AdminMessage", "A message, in or out, with its author.", {
  ...fields,
  error: Schema.NullOr(
    Schema.Struct({
      ...errorFields,
      provider: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String }))
    })
  ).annotations({ description: "Reason of the failure; `provider` is the vendor's error, if known." }),
  workspaceId,
  applicationId: wire("application_id", Schema.NullOr(ids.application), {
    description:
      "The application that sent it, or whose event started the run that sent it; null for messages of customers and agents."
  }),
  agentId: wire("agent_id", nullableId, { description: "The agent who wrote it, if known." }),
  workflowRunId: wire("workflow_run_id", nullableId, { description: "The run of a workflow that sent it." }),
  botSessionId: wire("bot_session_id", nullableId, { description: "The dialogue of a bot that it belongs to." }),
  templateName: wire("template_name", Schema.NullOr(Schema.String), { examples: ["order_shipped"] }),
  templateLanguage: wire("template_language", Schema.NullOr(Schema.String), { examples: ["en"] }),
  variables: field(Schema.Array(Schema.String), { examples: [["Ada", "1042"]] }),
  providerMessageId: wire("provider_message_id", Schema.NullOr(Schema.String), { examples: ["wamid.1042"] }),
  createdAt
})

/**
 * The message as the wire carries it, for an application or, with `viewer` null, an administrator; the schema leaves
 * out what is not for its readers. `received_at` is there on those that came from the channel only.
 */
export const messageResource = (
  message: Message,
  links: FileLinks,
  viewer: string | null
): typeof AdminMessageResource.Type => {
  const { envelope, error, receivedAt, ...rest } = message
  const attachments = message.attachments.map((attachment) => ({ ...attachment, ...links(attachment.id) }))
  return {
    ...rest,
    ...envelopeResource(envelope, viewer),
    origin: originOf(message),
    error: error && { ...error, provider: error.provider ?? null },
    attachments,
    ...(receivedAt === null ? {} : { receivedAt })
  }
}

/**
 * The public wire form without links, for stored events. Written by hand, because every event of a message needs it and
 * the schema takes many times as long.
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
  subject: message.subject,
  attachments: message.attachments.map(({ id, type, contentType, fileName, size, duration }) => ({
    id,
    type,
    content_type: contentType,
    file_name: fileName,
    size,
    ...(duration === undefined ? {} : { duration }),
    ...encodeFileLink(unlinked(id))
  })),
  content: message.content,
  origin: originOf(message),
  ...(message.envelope === null ? {} : encodeEnvelope(message.envelope)),
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
