import { Data } from "effect"
import type { Instant } from "./Instant.js"
import type { Attachment, Billing, MailAddresses, Receipt, Referral } from "./Message.js"
import type { MessageContent } from "./MessageContent.js"
import type { Template } from "./Template.js"

/** A file of a customer's message, as the provider parsed it. */
export interface InboundAttachment {
  readonly type: Attachment["type"]
  /** Media type from the vendor; null if unknown. */
  readonly contentType: string | null
  readonly fileName: string | null
  /** Of a sound or a video, in seconds. Default: null, the vendor does not say it. */
  readonly duration?: number | null
  /** The bytes, or the reference for `fetchFile`: at most 4,000 characters. */
  readonly content: Uint8Array | { readonly reference: string }
}

/** The vendor's reference to an earlier message of the conversation. */
export interface InboundQuote {
  readonly providerMessageId: string
  /**
   * If no message has the id: whether it is the start, up to a space, of the id of a recent message. For vendors' ids
   * that are not unique. Default: false.
   */
  readonly isPrefix?: boolean
  /** Its text, if the vendor repeats it. Used only if the message is not stored here. Default: null. */
  readonly body?: string | null
}

/** The vendor's code and message for refusing a connection. */
export interface ConnectionRefusal {
  readonly providerCode: string
  readonly providerMessage: string
}

/**
 * What speaks for a receipt on a channel where strangers can write reports, such as email
 * (docs/reference/messages.md#receipts-that-strangers-can-write). Addresses are in the reporter's spelling.
 */
export interface ReportEvidence {
  /** The signed id in the report; null: none. */
  readonly signedId: string | null
  /** Whether the report counts with a valid signed id only. */
  readonly needsSignedId: boolean
  /** The recipient as we wrote it; null: not named. */
  readonly originalRecipient: string | null
  /** The recipient at the reporting server, after forwarding; null: not named. */
  readonly finalRecipient: string | null
}

/** A message of the past, from the vendor's record (docs/reference/content.md#imported-messages). */
export interface PastMessage {
  /** As of the send or of the webhook: a message that is stored under this id is not imported again. */
  readonly providerMessageId: string
  readonly direction: "inbound" | "outbound"
  /** Time by the provider's clock, in ms. */
  readonly at: Instant
  /** The latest status of an outbound message. Default: `sent`. */
  readonly status?: Receipt["status"]
  readonly body: string
  /** The whole text, if {@link body} leaves out quoted mails or a signature. Default: null, the body is whole. */
  readonly fullText?: string | null
  /** Of an email. Default: null. */
  readonly subject?: string | null
  /** Of an email. Default: null. */
  readonly mail?: MailAddresses | null
  /** Default: null, a text, or media if there are attachments. */
  readonly content?: MessageContent | null
  /** Default: null. {@link InboundQuote.isPrefix} is not used. */
  readonly quoted?: InboundQuote | null
  /** Of the customer: sent by a machine, such as an out-of-office reply. Default: false. */
  readonly automatic?: boolean
  /** Files that the vendor still has. */
  readonly attachments: ReadonlyArray<InboundAttachment>
}

/** An event parsed by a provider. Handles are in the vendor's spelling; the engine normalises them. */
export type InboundEvent = Data.TaggedEnum<{
  /** A customer's message. */
  Message: {
    /** Unique on the connection; the engine dedupes redeliveries by it. */
    readonly providerMessageId: string
    readonly from: string
    /**
     * When the customer wrote it, by the provider's clock, in ms. If it was under way for 5 minutes to 8 days, the
     * service window counts from it, and a stop word or start word that is older than the last opt-out or opt-in
     * changes nothing (docs/reference/messages.md#inbound-messages). Else it counts as written now, the default.
     */
    readonly at?: Instant
    /** Another handle of the same person, which the vendor names too; it is added to the contact. Default: null. */
    readonly otherHandle?: string | null
    /**
     * Whether {@link from} stands for a handle that the customer hides, such as a number. Without a conversation of its
     * own, the message then joins the latest conversation of the contact on the connection. Default: false.
     */
    readonly substitute?: boolean
    /** The readable text, for people and bots that know nothing of {@link content}. */
    readonly body: string
    /** Default: null, a text, or media if there are attachments (docs/reference/content.md#types). */
    readonly content?: MessageContent | null
    /** The message that this one answers, reacts to, edits or deletes, or whose option it chooses. Default: null. */
    readonly quoted?: InboundQuote | null
    /** Default: false. */
    readonly forwarded?: boolean
    /** Default: null. */
    readonly referral?: Referral | null
    /** Equal for the messages of an album: at most 255 characters. Default: null. */
    readonly groupId?: string | null
    /** Of an email. Default: null. */
    readonly mail?: MailAddresses | null
    /** The whole text, if {@link body} leaves out quoted mails or a signature. Default: null, the body is whole. */
    readonly fullText?: string | null
    /** Default: the vendor says nothing. */
    readonly billing?: Billing
    /** The vendor's JSON of the message, for administrators: kept as long as its event. Default: null. */
    readonly raw?: string | null
    /**
     * Whether the vendor opens the service window. Default: unless {@link automatic} or a reaction, edit, deletion or
     * notice.
     */
    readonly opensWindow?: boolean
    readonly subject: string | null
    /** The customer's own name on the channel. */
    readonly displayName: string | null
    readonly attachments: ReadonlyArray<InboundAttachment>
    /** Sent by a machine, such as an out-of-office reply: does not count as written by the customer, starts no bot. */
    readonly automatic: boolean
    /** True: an opt-out, false: an opt-in, as the vendor read it. Default: null, the engine reads its keywords. */
    readonly optOut?: boolean | null
    /** False: anyone may have written it under this handle, and its keywords opt no one in or out. Default: true. */
    readonly senderProven?: boolean
  }
  /**
   * A message that the business wrote elsewhere, such as in the vendor's own app
   * (docs/reference/content.md#messages-written-elsewhere).
   */
  Echo: {
    /** As of the send: an echo of a message that is stored under this id changes nothing. */
    readonly providerMessageId: string
    /** The customer's handle. */
    readonly to: string
    /** Time by the provider's clock, in ms. */
    readonly at: Instant
    readonly body: string
    /** Default: null, a text, or media if there are attachments. */
    readonly content?: MessageContent | null
    /** Default: null. */
    readonly quoted?: InboundQuote | null
    /** Default: false. */
    readonly forwarded?: boolean
    /** Equal for the messages of an album: at most 255 characters. Default: null. */
    readonly groupId?: string | null
    readonly attachments: ReadonlyArray<InboundAttachment>
    /**
     * What may be our message id, if the vendor echoes our own sends with it: an echo of our message is its receipt
     * `sent`. Default: null.
     */
    readonly messageId?: string | null
    /** Whether the vendor also echoes our own sends without our message id. Default: false. */
    readonly mayBeOwn?: boolean
    /** The vendor's JSON of the message, for administrators: kept as long as its event. Default: null. */
    readonly raw?: string | null
  }
  /**
   * Messages of the past with one customer: stored with their own times, without events, bots or notifications
   * (docs/reference/content.md#imported-messages).
   */
  History: {
    /** The customer's handle. */
    readonly handle: string
    /** The customer's own name on the channel, for a new contact; null if it is not known. */
    readonly displayName: string | null
    readonly messages: ReadonlyArray<PastMessage>
    /** Whether the vendor counts these messages of the customer for its service window. Default: false. */
    readonly opensWindow?: boolean
  }
  /** A receipt of an outbound message. */
  Receipt: {
    readonly providerMessageId: string
    /** Our message id, if the vendor returns it. */
    readonly messageId: string | null
    readonly receipt: Receipt
    /** Set if the message failed because the vendor refuses the connection: disconnects it, once. Default: null. */
    readonly refusal?: ConnectionRefusal | null
    /** Set if the message failed because its recipient opted out at the vendor: marks the contact. Default: null. */
    readonly optOut?: "all" | "marketing" | null
    /** Set on channels where strangers can write reports. The receipt has {@link messageId} then. Default: null. */
    readonly evidence?: ReportEvidence | null
  }
  /** All messages sent to a handle up to a time (ms, provider's clock) have this status. */
  Watermark: { readonly handle: string; readonly status: "delivered" | "read"; readonly upTo: Instant }
  /** A customer's handle changed. */
  HandleChanged: { readonly from: string; readonly to: string }
  /** A customer opted out, or in again, at the vendor. */
  OptOut: {
    readonly handle: string
    readonly scope: "all" | "marketing"
    readonly optedOut: boolean
    /** Time by the provider's clock, in ms: what is older than the last changes nothing. Default: now. */
    readonly at?: Instant
  }
  /** The recipient of a message wants no more messages, proven by the message's signed id. */
  Unsubscribe: {
    readonly signedId: string
    /** When the wish came, by the provider's clock, in ms: as that of a message. Default: now. */
    readonly at?: Instant
  }
  /** News of the vendor about the account, for administrators (docs/reference/channels.md#news-of-vendors). */
  AccountNotice: {
    /** What happened, in sentences for people. */
    readonly message: string
    /** Time by the provider's clock, in ms. With the message, it identifies a repeated notice. */
    readonly at: Instant
    /**
     * Values of the config of the connections that it concerns, for an account that has several of them. Default: only
     * the connection that gets the event.
     */
    readonly concerns?: { readonly [setting: string]: string }
    /** Set if the vendor takes no more messages of the account: disconnects the connections. Default: null. */
    readonly refusal?: ConnectionRefusal | null
  }
  /** The vendor changed a template's status. */
  TemplateStatus: Pick<Template, "name" | "language" | "status"> & {
    /** Time by the provider's clock, in ms: what is older than the last changes nothing. Default: now. */
    readonly at?: Instant
  }
  /**
   * An event that the provider does not know; stored with its raw content
   * (docs/reference/provider-contract.md#unknown-events).
   */
  Unknown: { readonly kind: string; readonly raw: string }
}>
export const InboundEvent = Data.taggedEnum<InboundEvent>()
