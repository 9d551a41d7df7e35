import type { ErrorCode } from "../errors/Catalogue.js"
import type { Instant } from "./Instant.js"

export type MessageStatus = "queued" | "sent" | "delivered" | "read" | "failed"

/**
 * Cause of a failed message: a code of the catalogue and our description (docs/reference/messages.md#message-errors).
 */
export interface MessageError {
  readonly code: ErrorCode
  readonly message: string
  /** The vendor's own code and message, if any. Visible to administrators only. */
  readonly provider?: { readonly code: string; readonly message: string }
}

/** Metadata of a file of a message (docs/reference/messages.md#attachments). The bytes are in the blob store. */
export interface Attachment {
  readonly id: string
  readonly type: "image" | "video" | "audio" | "document" | "sticker" | "other"
  readonly contentType: string
  readonly fileName: string | null
  /** In bytes. */
  readonly size: number
}

/** An inbound or outbound message (docs/reference/messages.md#message-fields). */
export interface Message {
  readonly id: string
  readonly workspaceId: string
  /**
   * The application that sent it, or whose event started the run that sent it. Null for messages of customers and
   * agents.
   */
  readonly applicationId: string | null
  /** The agent who wrote it, if known. */
  readonly agentId: string | null
  /** The workflow run that sent it. */
  readonly workflowRunId: string | null
  /** The bot session that sent it. */
  readonly botSessionId: string | null
  readonly externalReference: string | null
  readonly conversationId: string
  readonly contactId: string
  readonly connectionId: string
  readonly direction: "inbound" | "outbound"
  readonly type: "text" | "template"
  readonly status: MessageStatus
  /** The text; for a template, the rendered text. */
  readonly body: string
  /** Subject of an email. */
  readonly subject: string | null
  /** HTML alternative of an email. */
  readonly html: string | null
  readonly templateName: string | null
  readonly templateLanguage: string | null
  readonly variables: ReadonlyArray<string>
  readonly attachments: ReadonlyArray<Attachment>
  readonly error: MessageError | null
  readonly providerMessageId: string | null
  readonly createdAt: Instant
  readonly sentAt: Instant | null
  readonly deliveredAt: Instant | null
  readonly readAt: Instant | null
  readonly receivedAt: Instant | null
  readonly version: number
}

/** Whether an application sent the message directly, not through a workflow or bot. */
export const isSentByApplication = ({ applicationId, botSessionId, workflowRunId }: Message): boolean =>
  applicationId !== null && workflowRunId === null && botSessionId === null

/** A provider's report on a message that it accepted (docs/reference/messages.md#receipts). */
export interface Receipt {
  readonly status: "sent" | "delivered" | "read" | "failed"
  /** Time by the provider's clock, in ms. */
  readonly at: Instant
  readonly error: MessageError | null
}

/**
 * Unique index of provider message ids; primary key (connection, provider message id). Receipts find their message by
 * it, and redelivered inbound messages are deduped by it. Without a `messageId`, it holds receipts that arrived before
 * the send was recorded (docs/reference/messages.md#receipts).
 */
export interface ProviderMessage {
  readonly connectionId: string
  readonly providerMessageId: string
  readonly workspaceId: string
  readonly messageId: string | null
  readonly parked: ReadonlyArray<Receipt>
  readonly createdAt: Instant
  readonly version: number
}
