import type { ErrorCode } from "../errors/Catalogue.js"
import type { Instant } from "../Instant.js"

export type MessageStatus = "queued" | "sent" | "delivered" | "read" | "failed"

/** Why a message failed: a code of the catalogue and our own words (decisions.md §8). */
export interface MessageError {
  readonly code: ErrorCode
  readonly message: string
  /** What the vendor said, where it said something: for administrators alone. */
  readonly provider?: { readonly code: string; readonly message: string }
}

/** A file of a message (decisions.md §8); the bytes live elsewhere. */
export interface Attachment {
  readonly id: string
  readonly type: "image" | "video" | "audio" | "document" | "sticker" | "other"
  readonly contentType: string
  readonly fileName: string | null
  /** Bytes. */
  readonly size: number
}

/** One message, in or out. */
export interface Message {
  readonly id: string
  readonly workspaceId: string
  /** The application that sent it, or whose event started the run that did; null for inbound messages and those of agents. */
  readonly applicationId: string | null
  /** The agent who wrote it, where that is known. */
  readonly agentId: string | null
  /** The run of a workflow that sent it. */
  readonly workflowRunId: string | null
  /** The dialogue of a bot that sent it. */
  readonly botSessionId: string | null
  readonly externalReference: string | null
  readonly conversationId: string
  readonly contactId: string
  readonly connectionId: string
  readonly direction: "inbound" | "outbound"
  readonly type: "text" | "template"
  readonly status: MessageStatus
  /** The text; of a template, the rendered one. */
  readonly body: string
  /** Of an email. */
  readonly subject: string | null
  /** The same as HTML, of an email that has it. */
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

/** Whether an application sent it itself, and no automation of its. */
export const isSentByApplication = ({ applicationId, botSessionId, workflowRunId }: Message): boolean =>
  applicationId !== null && workflowRunId === null && botSessionId === null

/** What a provider later reports of a message that it accepted. */
export interface Receipt {
  readonly status: "sent" | "delivered" | "read" | "failed"
  /** When it happened, by the provider's clock. */
  readonly at: Instant
  readonly error: MessageError | null
}

/**
 * The unique claim on a provider's message id, by which receipts find their message and a redelivered inbound message is
 * recognised; its key is (connection, provider message id). Without a `messageId` it holds receipts that came before
 * the id was known (decisions.md §8).
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
