import { Data, type Stream } from "effect"
import type { ErrorCode } from "../errors/Catalogue.js"
import type { Attachment, Billing, Message, Origin, Receipt } from "../model/Message.js"
import type { MessageContent } from "../model/MessageContent.js"
import type { BlobsUnavailable } from "./Blobs.js"

/** A message to hand to the vendor. */
export interface OutboundMessage {
  /** Our message id, for vendors that dedupe by it or return it on receipts. */
  readonly id: string
  /** The recipient's normalised handle. */
  readonly to: string
  /** Null for free text. */
  readonly template: {
    readonly name: string
    readonly language: string
    readonly variables: ReadonlyArray<string>
  } | null
  /** The text as written; for a template, the rendered text. Of {@link content} the readable text. */
  readonly body: string
  /**
   * Of one of the types in the `types` of the connection's capabilities, within its limits. Null for a text and for a
   * template. Default: null.
   */
  readonly content?: MessageContent | null
  /**
   * Provider message id of the message that this one answers or reacts to, if the capabilities have `quotes`. Default:
   * null.
   */
  readonly quoted?: string | null
  /** Within the `files` of the capabilities. Default: none. */
  readonly files?: ReadonlyArray<OutboundFile>
  readonly subject: string | null
  /** The HTML alternative of an email. Default: null. */
  readonly html?: string | null
  /** Null unless `ChannelProvider.signedIds`. */
  readonly signedIds?: OutboundSignedIds | null
  /**
   * The latest earlier messages of the conversation, at most ten, oldest first. Empty unless
   * `ChannelProvider.threads`.
   */
  readonly thread: ReadonlyArray<ThreadMessage>
  /** Number of this attempt, 1-based. */
  readonly attempt: number
  /** Who wrote it, for channels that mark what a machine writes. Default: `application`. */
  readonly origin?: Exclude<Origin, "customer" | "external">
  /** Whether the application says that a program wrote it, as an answer to the customer's message. Default: false. */
  readonly automatic?: boolean
  /**
   * The URL of the connection's webhook, for vendors that take a callback URL with each message. Default: null, the
   * service knows no public URL.
   */
  readonly webhookUrl?: string | null
}

/** A file to hand to the vendor; its bytes are in the blob store. */
export interface OutboundFile extends Pick<Attachment, "type" | "contentType" | "fileName" | "size"> {
  /**
   * A signed https URL from which a vendor can fetch the bytes for an hour or more; null if this service has no public
   * URL.
   */
  readonly url: string | null
  /**
   * Name of the bytes: files with the same name have the same bytes, such as one upload in many messages, or files
   * fetched from URLs with equal bytes. For providers whose vendor keeps files
   * (docs/reference/provider-contract.md#files-that-a-vendor-keeps). Default: not known.
   */
  readonly contentKey?: string
  readonly bytes: Stream.Stream<Uint8Array, BlobsUnavailable>
}

/** Texts that prove knowledge of one message: 42 characters of `0-9a-v`, read without case. */
export interface OutboundSignedIds {
  /** Proves a report on the message (event `Receipt`). */
  readonly report: string
  /** Proves the wish of the recipient to get no more messages (event `Unsubscribe`). */
  readonly unsubscribe: string
  /**
   * The https URL at which the recipient unsubscribes with one click. Null for messages that are not marketing, and
   * where the service has no public https URL.
   */
  readonly unsubscribeUrl: string | null
  /**
   * The https URL of a page on which the recipient chooses an option of the message's `choices`. Null for other
   * messages, and where the service has no public https URL.
   */
  readonly chooseUrl?: string | null
}

/** An earlier message of the conversation, for reply headers such as `References` of email. */
export type ThreadMessage = Pick<Message, "direction" | "subject"> & { readonly providerMessageId: string }

/**
 * Result of `ChannelProvider.send` (docs/reference/sends.md#outcomes). `Rejected`, `Throttled`, `Moved` and
 * `Transient` assert that the vendor did not send the message. If in doubt, return `Unknown`.
 *
 * | outcome | delivered to the vendor | next step of the engine |
 * |---|---|---|
 * | `Accepted` | yes | message is `sent`; if `queued`, once a receipt says so |
 * | `Rejected` | no | message is `failed`; scope `connection` disconnects the connection |
 * | `Throttled` | no | waits, then sends; scope `connection` holds the whole connection |
 * | `Moved` | no | sends to the new handle |
 * | `Transient` | no | retries with backoff, at most 24 h after the first failure |
 * | `Unknown` | possibly | retries if the provider dedupes or the policy is `resend`; else waits 24 h for a receipt |
 */
export type SendOutcome = Data.TaggedEnum<{
  /**
   * The vendor has the message. `providerMessageId` has 1 to 512 characters and is unique on the connection. `receipts`
   * are receipts that the provider schedules itself; they become jobs in the same commit, so that they survive a crash.
   * `queued`: the vendor has not sent it yet and reports once it has, so that the message stays `queued` until a
   * receipt (default: false). `billing` is what the vendor tells of price and segments.
   */
  Accepted: {
    readonly providerMessageId: string
    readonly receipts: ReadonlyArray<Receipt>
    readonly queued?: boolean
    readonly billing?: Billing
  }
  /**
   * The vendor refuses permanently. `code` becomes the code of the message's error. `providerCode` and
   * `providerMessage` are the vendor's own and go into the details of the 502 response. Scope `connection` disconnects
   * the connection and notifies the administrators.
   */
  Rejected: {
    readonly scope: "message" | "recipient" | "connection" | "template"
    readonly code: ErrorCode
    readonly providerCode: string
    readonly providerMessage: string
    /** Set if the vendor refuses because the customer opted out; the contact is opted out too. */
    readonly optOut?: "all" | "marketing"
  }
  /**
   * The vendor's rate limit. `retryAfterMs` is the vendor's hint in ms, of which an hour counts at most; null: backoff
   * from 1 s to 5 min. Scope `connection` (the default) holds all sends of the connection on all hosts; scope
   * `recipient` delays this message only.
   */
  Throttled: { readonly retryAfterMs: number | null; readonly scope?: "connection" | "recipient" }
  /** The customer has a new handle. The engine sends the message there and adds the handle to the contact. */
  Moved: { readonly handle: string }
  /** A temporary failure before the vendor took the message, such as a refused connection. */
  Transient: { readonly reason: string }
  /** The message may have gone out, such as when the answer was lost (docs/reference/sends.md#resend-or-hold). */
  Unknown: { readonly reason: string }
}>
export const SendOutcome = Data.taggedEnum<SendOutcome>()
