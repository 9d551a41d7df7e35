import type { ErrorCode } from "../errors/Catalogue.js"
import type { Instant } from "./Instant.js"
import { isAnnotation, type MessageContent, type MessageType } from "./MessageContent.js"

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
  readonly type: "image" | "video" | "audio" | "voice" | "document" | "sticker" | "other"
  readonly contentType: string
  readonly fileName: string | null
  /** In bytes. */
  readonly size: number
  /** In seconds; absent if the channel does not say it. */
  readonly duration?: number
  /** SHA-256 of the bytes, in base64url, of a file that a send gave by its URL. Default: not known. */
  readonly hash?: string
  /** The upload whose blob it shares; absent if it has its own. */
  readonly uploadId?: string
}

/** The key of a file in the blob store. */
export const blobKeyOf = ({ id, uploadId }: Pick<Attachment, "id" | "uploadId">): string => uploadId ?? id

/** The message that another one is about (docs/reference/content.md#quoted-messages). */
export interface Quoted {
  /** Null if the message is not stored here. */
  readonly messageId: string | null
  readonly providerMessageId: string | null
  /** The application that alone may see the message; null: all that see the conversation. */
  readonly applicationId: string | null
  /** Its text as of now; null if it is not known. */
  readonly body: string | null
}

/** The advertisement, story or link that brought the customer (docs/reference/content.md#referrals). */
export interface Referral {
  /** The vendor's name of the source, such as `ad` or `post`. */
  readonly source: string
  /** Id of the advertisement, post or product at the vendor. */
  readonly sourceId: string | null
  /** Click id for the vendor's conversion reports, such as WhatsApp's `ctwa_clid`. */
  readonly clickId: string | null
  readonly headline: string | null
  readonly body: string | null
  readonly url: string | null
  /** The text that the business put into the link. */
  readonly ref: string | null
}

/** Addresses of an email, in the spelling of its header. */
export interface MailAddresses {
  readonly from: string | null
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
  /** Where the writer wants answers; empty: to {@link from}. */
  readonly replyTo: ReadonlyArray<string>
}

/** What a vendor tells of a message's price (docs/reference/messages.md#pricing). Null: the vendor did not say. */
export interface Pricing {
  /** Whether the vendor charges for the message. */
  readonly billable: boolean | null
  /** The vendor's name of the rate, such as `marketing`. */
  readonly category: string | null
  /** The vendor's name of its price list. */
  readonly model: string | null
  /** In units of {@link currency}, as the vendor writes it. */
  readonly price: string | null
  readonly currency: string | null
}

/** Pricing in which the vendor says nothing. */
export const noPricing: Pricing = { billable: null, category: null, model: null, price: null, currency: null }

/** What a vendor tells of a message beside its progress. */
export interface Billing {
  readonly pricing?: Pricing | null
  /** Number of parts that a text is sent and charged as. */
  readonly segments?: number | null
}

/** What a message carries around its content. */
export interface Envelope extends Billing {
  readonly quoted: Quoted | null
  readonly forwarded: boolean
  /** Whether a program wrote it, such as an out-of-office reply. Default: false. */
  readonly automatic?: boolean
  readonly referral: Referral | null
  /** Equal for the messages of an album. */
  readonly groupId: string | null
  readonly mail: MailAddresses | null
  /** The whole text of an email whose body leaves out quoted mails or a signature. Default: null, the body is whole. */
  readonly fullText?: string | null
  /** Whether the customer deleted the message: its text, files and content are erased. Default: false. */
  readonly isDeleted?: boolean
}

/** An envelope with nothing in it: stored as null. */
export const emptyEnvelope: Envelope = { quoted: null, forwarded: false, referral: null, groupId: null, mail: null }

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
  readonly type: MessageType
  readonly status: MessageStatus
  /** The readable text: of a template the rendered text, of media the caption (docs/reference/content.md#types). */
  readonly body: string
  /** Subject of an email. */
  readonly subject: string | null
  /** HTML alternative of an email. */
  readonly html: string | null
  readonly templateName: string | null
  readonly templateLanguage: string | null
  readonly variables: ReadonlyArray<string>
  readonly attachments: ReadonlyArray<Attachment>
  /** Of the types that are more than text and files. */
  readonly content: MessageContent | null
  /** Null if there is nothing in it. */
  readonly envelope: Envelope | null
  readonly error: MessageError | null
  readonly providerMessageId: string | null
  readonly createdAt: Instant
  readonly sentAt: Instant | null
  readonly deliveredAt: Instant | null
  readonly readAt: Instant | null
  /** When the vendor reported it: set on messages of customers and on those that the business wrote elsewhere. */
  readonly receivedAt: Instant | null
  readonly version: number
}

/** Whether an application sent the message directly, not through a workflow or bot. */
export const isSentByApplication = ({ applicationId, botSessionId, workflowRunId }: Message): boolean =>
  applicationId !== null && workflowRunId === null && botSessionId === null

/** Who wrote a message (docs/reference/content.md#origin). */
export type Origin = "application" | "agent" | "workflow" | "bot" | "customer" | "external"

type Authored = Pick<Message, "applicationId" | "botSessionId" | "workflowRunId">

export const originOf = (message: Authored & Pick<Message, "direction" | "receivedAt">): Origin => {
  if (message.direction === "inbound") return "customer"
  return isExternal(message) ? "external" : senderOf(message)
}

/** Who wrote a message that Parley sends. */
export const senderOf = ({
  applicationId,
  botSessionId,
  workflowRunId
}: Authored): Exclude<Origin, "customer" | "external"> => {
  if (workflowRunId !== null) return "workflow"
  if (botSessionId !== null) return "bot"
  return applicationId === null ? "agent" : "application"
}

/** Whether the business wrote the message elsewhere: Parley has it from the vendor, and did not send it. */
export const isExternal = ({ direction, receivedAt }: Pick<Message, "direction" | "receivedAt">): boolean =>
  direction === "outbound" && receivedAt !== null

/**
 * Whether the customer wrote the message, and it can be read: not one about another message or the chat, no automatic
 * answer, and no content that the channel does not support.
 */
export const isWritten = ({ direction, envelope, type }: Pick<Message, "direction" | "envelope" | "type">): boolean =>
  direction === "inbound" && !isAnnotation(type) && type !== "unsupported" && envelope?.automatic !== true

/** A provider's report on a message that it accepted (docs/reference/messages.md#receipts). */
export interface Receipt {
  readonly status: "sent" | "delivered" | "read" | "failed"
  /** Time by the provider's clock, in ms. */
  readonly at: Instant
  readonly error: MessageError | null
  /** Default: the vendor says nothing. */
  readonly billing?: Billing
}

const receiptStatuses: ReadonlyArray<unknown> = ["sent", "delivered", "read", "failed"]

export const isReceiptStatus = (status: unknown): status is Receipt["status"] => receiptStatuses.includes(status)

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
