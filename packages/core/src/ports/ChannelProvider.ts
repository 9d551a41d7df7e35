import { Context, Data, type Effect, type Either, Schema, type Stream } from "effect"
import type { ErrorCode } from "../errors/Catalogue.js"
import type { Refusal } from "../errors/Refusal.js"
import {
  type Capabilities,
  type Channel,
  type ChannelDefinition,
  type Channels,
  channelNamePattern
} from "../model/Channel.js"
import type { Connection } from "../model/Connection.js"
import { IdentityChannel } from "../model/Contact.js"
import type { InboundEvent } from "../model/InboundEvent.js"
import { type Instant, minute } from "../model/Instant.js"
import type { Attachment, Billing, Message, Origin, Receipt } from "../model/Message.js"
import type { MessageContent } from "../model/MessageContent.js"
import type { Template, TemplateParts } from "../model/Template.js"
import type { BlobsUnavailable } from "./Blobs.js"
import type { PushedBody } from "./PushedBody.js"
import type { CommitError, ReadError } from "./Storage.js"

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
  /** Null unless {@link ChannelProvider.signedIds}. */
  readonly signedIds?: OutboundSignedIds | null
  /**
   * The latest earlier messages of the conversation, at most ten, oldest first. Empty unless
   * {@link ChannelProvider.threads}.
   */
  readonly thread: ReadonlyArray<ThreadMessage>
  /** Number of this attempt, 1-based. */
  readonly attempt: number
  /** Who wrote it, for channels that mark what a machine writes. Default: `application`. */
  readonly origin?: Exclude<Origin, "customer" | "external">
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
 * Result of {@link ChannelProvider.send} (docs/reference/sends.md#outcomes). `Rejected`, `Throttled`, `Moved` and
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
   * The vendor's rate limit. `retryAfterMs` is the vendor's hint in ms; null: backoff from 1 s to 5 min. Scope
   * `connection` (the default) holds all sends of the connection on all hosts; scope `recipient` delays this message
   * only.
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

/** Default of {@link ChannelProvider.sendTimeout}, in ms. */
export const defaultSendTimeout: number = minute

/** An HTTP request to `/inbound/{connection}`. */
export interface ProviderRequest {
  readonly method: string
  /**
   * The URL of the connection's webhook without path and query of this request, as the vendor called it: below the
   * public URL of this service, else by the request's headers. For signatures over the URL.
   */
  readonly webhookUrl?: string
  /** The path after the connection id: empty, or for example `/messages`. */
  readonly path: string
  /** Decoded. The first value of a repeated parameter. */
  readonly query: { readonly [name: string]: string | undefined }
  /** By lower-case name. The values of a repeated header are joined by commas. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** The raw bytes, on which signatures are verified. */
  readonly body: Uint8Array
  /** The client's IP address, if known. */
  readonly address?: string
  /**
   * Runs the check of a customer's credential, which fails with `unauthenticated` if it is wrong. Such failures are
   * limited by client address, together with those of the API: above the limit `check` does not run, and the result is
   * `rate_limited` (docs/reference/rate-limits.md#failed-attempts). Absent: no limit.
   */
  readonly checkCredential?: <A, E>(
    credential: string,
    check: Effect.Effect<A, E | Refusal>
  ) => Effect.Effect<A, E | Refusal>
}

/** A verified request whose body does not have the vendor's format. The response is 400. */
export class WebhookUnreadable extends Data.TaggedError("WebhookUnreadable")<{ readonly reason: string }> {}

/** The events of one vendor account in a request. */
export interface AccountEvents {
  /** The account as {@link ProviderWebhook.accountOf} names it; null for the connection that received the request. */
  readonly account: string | null
  readonly events: ReadonlyArray<InboundEvent>
}

/**
 * The vendor's calls to us (docs/reference/provider-contract.md#inbound-acknowledgement).
 *
 * ```
 * GET  ──▶ challenge ──▶ 200 with the text, or 403
 * POST ──▶ verify ── false ──▶ 401
 *            │ true
 *            ▼
 *          parse ── WebhookUnreadable ──▶ 400
 *            │   └─ throws ──▶ body is stored as an unknown event
 *            ▼
 *          events durably stored ──▶ 2xx      storage failed ──▶ 503, the vendor redelivers
 * ```
 */
export interface ProviderWebhook {
  /** Maximum body size in bytes; larger requests get 413. Default: 4 MiB. */
  readonly bodyLimit?: number
  /** Answers the vendor's verification of the URL (a GET) with this text; null refuses it with 403. */
  readonly challenge?: (connection: Connection, credentials: unknown, request: ProviderRequest) => string | null
  /**
   * Verifies the vendor's signature over the raw bytes in constant time, before anything is parsed. A throw counts as
   * false.
   */
  readonly verify: (connection: Connection, credentials: unknown, request: ProviderRequest) => boolean
  /**
   * Returns all events of the request in their order: every entry of a batch. Entries that the provider does not know
   * become `Unknown` events with their raw content. Limit: 20 s.
   */
  readonly parse: (
    connection: Connection,
    request: ProviderRequest,
    now: Instant
  ) => Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable>
  /**
   * The answer to a request whose events are durably stored, for vendors that read it, such as a method call of
   * Telegram. Null, absent or a throw: an empty 200.
   */
  readonly answer?: (request: ProviderRequest) => ProviderAnswer | null
  /**
   * The vendor's id of a connection's account, for vendors that batch several accounts in one request; null if the
   * settings do not name it. Events of another account go to the connection of the same workspace that has this
   * account, if `verify` accepts the request for it too. Two connections with one account are refused
   * (docs/reference/channels.md#accounts).
   */
  readonly accountOf?: (connection: Pick<Connection, "channel" | "handle" | "config">) => string | null
}

/** The vendor failed or did not answer in time. The engine retries later. */
export class ProviderUnavailable extends Data.TaggedError("ProviderUnavailable")<{ readonly reason: string }> {}

/** Result of {@link ChannelProvider.poll}. */
export interface Polled {
  readonly events: ReadonlyArray<InboundEvent>
  /** Position for the next call, as JSON. Stored only after the events are durably stored. */
  readonly cursor: unknown
  /** Delay until the next poll, in ms. */
  readonly againInMs: number
}

/** A customer's file that is being downloaded from the vendor. */
export interface FetchedFile {
  readonly contentType: string | null
  readonly fileName: string | null
  readonly bytes: Stream.Stream<Uint8Array, ProviderUnavailable>
}

/** The vendor no longer has the file. The attachment fails; no retry. */
export class FileGone extends Data.TaggedError("FileGone")<{ readonly reason: string }> {}

/** A template from the vendor's account. `body` has positional slots `{{1}}`, `{{2}}`, …, like ours. */
export type ProviderTemplate = Pick<Template, "name" | "language" | "category" | "body" | "status"> & {
  /** What a message may have to fill in beside the body. Default: null, the body is all. */
  readonly parts?: TemplateParts | null
}

/** Result of a settings check, in our wording: `detail` describes the account, `problem` says what to correct. */
export type CheckOutcome = Data.TaggedEnum<{
  Working: { readonly detail: string }
  Failing: { readonly problem: string }
}>
export const CheckOutcome = Data.taggedEnum<CheckOutcome>()

/**
 * Result of {@link ChannelProvider.history}.
 *
 * | result | next step of the administrator's client |
 * |---|---|
 * | `Page` | asks for the page at `cursor`, unless it is null |
 * | `Requested` | none: the vendor sends the messages to the webhook, as events `History` |
 * | `Refused` | none: `problem` says what to correct |
 */
export type HistoryAnswer = Data.TaggedEnum<{
  /** Conversations, newest first, and the position of the next ones: at most 2,000 characters. Null: these were all. */
  Page: {
    readonly conversations: ReadonlyArray<InboundEvent & { readonly _tag: "History" }>
    readonly cursor: string | null
  }
  /** `detail` says what happens next, in our wording. */
  Requested: { readonly detail: string }
  /** `problem` is in our wording, without credentials. */
  Refused: { readonly problem: string }
}>
export const HistoryAnswer = Data.taggedEnum<HistoryAnswer>()

/** What the customer sees of the business beside messages (docs/reference/conversations.md#typing-and-read-marks). */
export interface CustomerSignal {
  /** `typing`: the business writes an answer. `read`: it has read the customer's messages. */
  readonly kind: "typing" | "read"
  /** The customer's normalised handle. */
  readonly to: string
  /** Provider message id of the customer's latest message. */
  readonly lastMessageId: string
}

/**
 * A rate limit (GCRA): `messages` in each `per` ms, of which `burst` may go at once
 * (docs/reference/sends.md#slot-queues).
 */
export interface Rate {
  readonly messages: number
  /** In ms. */
  readonly per: number
  readonly burst: number
}

/** The send rates of a connection; null for no limit. */
export interface SendRates {
  readonly connection: Rate | null
  /** For one recipient. */
  readonly recipient: Rate | null
}

/**
 * An outbound message in the feed of its conversation, from which the customer's client fetches it
 * (docs/reference/sends.md#feeds).
 */
export interface FedMessage {
  /** From 1, without gaps. */
  readonly sequence: number
  readonly message: Message
}

/** An agent as customers see them. */
export interface ShownAgent {
  readonly name: string
  /** Null: no image. */
  readonly avatarUrl: string | null
}

/** The engine's operations for {@link ChannelProvider.serve}, limited to one connection. */
export interface ProviderContext {
  /** Applies inbound events. Durable when it succeeds. */
  readonly receive: (events: ReadonlyArray<InboundEvent>) => Effect.Effect<void, CommitError>
  /**
   * Messages from and to a handle, newest first, older than the message with id `before`; null starts at the newest.
   */
  readonly history: (
    handle: string,
    before: string | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Message>, ReadError>
  /** The feed of a handle after sequence `after`, oldest first. */
  readonly fed: (handle: string, after: number, limit: number) => Effect.Effect<ReadonlyArray<FedMessage>, ReadError>
  /** The highest sequence in a handle's feed; 0 if the feed is empty. */
  readonly latestFed: (handle: string) => Effect.Effect<number, ReadError>
  /** Emits once the subscription to a handle's feed is active, and whenever the feed may have grown. Never ends. */
  readonly news: (handle: string) => Stream.Stream<void>
  /**
   * Calls `listener` whenever a handle's feed may have grown beyond `length`, until the returned function is called.
   * Holds no fiber, for providers with thousands of readers. Read the feed once after this call: messages since
   * `length` was read may not be reported.
   */
  readonly watch: (handle: string, length: number, listener: () => void) => () => void
  /**
   * Agents by id, as customers see them. Ids of agents that are not of the connection's workspace have none. Their URLs
   * are like those of {@link fileUrl}.
   */
  readonly agents: (
    ids: ReadonlyArray<string>,
    now: Instant
  ) => Effect.Effect<ReadonlyMap<string, ShownAgent>, ReadError>
  /**
   * Signed URL of a file by the id of its attachment, valid for a day from `now`. It is relative to the connection's
   * URL `…/inbound/{connection}`, so that it has the host at which its reader reached this service.
   */
  readonly fileUrl: (attachmentId: string, now: Instant) => string
}

/** The HTTP response of {@link ChannelProvider.serve}. A stream is sent chunk by chunk, with a fiber while it runs. */
export interface ProviderAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array | Stream.Stream<Uint8Array> | PushedBody
}

/**
 * Adapter between the engine and one vendor. Optional members are absent if the vendor has no such feature
 * (docs/reference/provider-contract.md#parts-of-a-provider). `docs/write-a-provider.md` is the tutorial, and
 * `channelContract` of `@parley/testkit` checks an implementation.
 *
 * ```
 *                ┌───────────────── ChannelProvider ─────────────────┐
 * outbound  ──▶  │ parseHandle, textProblem ▶ rates ▶ send           │ ──▶ vendor
 * inbound   ◀──  │ webhook.verify ▶ webhook.parse,  or poll          │ ◀── vendor
 * files     ◀──  │ fetchFile, profileName, listTemplates, history    │ ◀── vendor
 * customers ◀─▶  │ serve (web chat: the vendor is Parley itself)     │
 *                └───────────────────────────────────────────────────┘
 * ```
 *
 * Invariants:
 * - `send` never fails: each result is one {@link SendOutcome}. A throw, or no result in time, counts as `Unknown`.
 * - Text is handed over unchanged: not cut, no markup added.
 * - A handle has one normal form; `parseHandle` of the normal form returns the same.
 * - No state in memory between calls: another host may get the next call.
 * - Credentials appear in no outcome, error, log line or span.
 *
 * @example
 * ```ts
 * export const PagerProvider: ChannelProvider = {
 *   kind: "pager",
 *   channels: [{ name: "pager", identity: null }],
 *   config: Schema.Struct({}),
 *   credentials: Schema.Struct({ token: Schema.String }),
 *   capabilities: () => ({
 *     textMaxLength: 160,
 *     templates: false,
 *     deliveryReceipts: false,
 *     readReceipts: false,
 *     serviceWindowHours: null
 *   }),
 *   parseHandle: (_channel, handle) =>
 *     /^\d{6}$/.test(handle) ? Either.right(handle) : Either.left("must be 6 digits"),
 *   dedupes: false,
 *   rates: () => ({ connection: { messages: 10, per: 1_000, burst: 10 }, recipient: null }),
 *   send: (_connection, credentials, message) =>
 *     page(credentials, message).pipe(
 *       Effect.map((id) => SendOutcome.Accepted({ providerMessageId: id, receipts: [] })),
 *       Effect.catchTags({
 *         RateLimited: ({ retryAfterMs }) => Effect.succeed(SendOutcome.Throttled({ retryAfterMs })),
 *         NotConnected: ({ reason }) => Effect.succeed(SendOutcome.Transient({ reason })),
 *         AnswerLost: ({ reason }) => Effect.succeed(SendOutcome.Unknown({ reason }))
 *       })
 *     )
 * }
 * ```
 */
export interface ChannelProvider {
  /** The name in `Connection.provider`, such as `sandbox`. */
  readonly kind: string
  /** The channels that it serves. */
  readonly channels: Channels
  /** Schema of a connection's `config`, in wire shape. */
  readonly config: Schema.Schema.AnyNoContext
  /** Schema of a connection's `credentials`, in wire shape. */
  readonly credentials: Schema.Schema.AnyNoContext
  readonly capabilities: (connection: Connection) => Capabilities
  /**
   * Right: the customer's handle in normal form. Left: the validation message (`must be …`). The handle already has the
   * normal form of the channel's {@link ChannelDefinition.identity}.
   */
  readonly parseHandle: (channel: Channel, handle: string) => Either.Either<string, string>
  /**
   * Parses the business's own handle, any text without line breaks, if its form differs. Default: {@link parseHandle}.
   */
  readonly parseOwnHandle?: (channel: Channel, handle: string) => Either.Either<string, string>
  /** Validates text beyond `textMaxLength`: a message (`must be …`), or null if the channel takes the text. */
  readonly textProblem?: (connection: Connection, text: string) => string | null
  /** Whether the vendor sends a message once that is handed over twice under one id. Allows retries after `Unknown`. */
  readonly dedupes: boolean
  /** Whether the engine loads {@link OutboundMessage.thread}, which is one more read. Default: false. */
  readonly threads?: boolean | ((connection: Connection) => boolean)
  /** Whether messages need {@link OutboundSignedIds}: on channels where strangers can write reports. Default: false. */
  readonly signedIds?: boolean
  /** Whether receipts may name a time instead of a message (event `Watermark`). Default: false. */
  readonly watermarks?: boolean
  /** Send rates, exact over all hosts. Default: no limit. */
  readonly rates?: (connection: Connection) => SendRates
  /**
   * Hands one message to the vendor. Never fails. `credentials` are decrypted and decoded JSON. Limit:
   * {@link sendTimeout}, then `Unknown`.
   */
  readonly send: (
    connection: Connection,
    credentials: unknown,
    message: OutboundMessage,
    now: Instant
  ) => Effect.Effect<SendOutcome>
  /**
   * Timeout of {@link send} in ms. Steps before the message can go out, such as an upload, need shorter timeouts of
   * their own, since a send that ends there is `Transient` (docs/reference/sends.md#time-limits). Default:
   * {@link defaultSendTimeout}.
   */
  readonly sendTimeout?: number
  /**
   * How many sends of a connection run at once in one process, for vendors that take few at a time. The others wait
   * before {@link send} is called. Default: no limit.
   */
  readonly maxConcurrentSends?: (connection: Connection) => number
  /**
   * Shows the customer a signal of a kind that the capabilities have (`typing`, `readMarks`). Best effort, never
   * repeated. Limit: 5 s.
   */
  readonly signal?: (
    connection: Connection,
    credentials: unknown,
    signal: CustomerSignal
  ) => Effect.Effect<void, ProviderUnavailable>
  /** The vendor's calls to `/inbound/{connection}`. */
  readonly webhook?: ProviderWebhook
  /** Serves the customers' own requests to `/inbound/{connection}` (web chat). Outbound messages wait in a feed. */
  readonly serve?: (
    connection: Connection,
    credentials: unknown,
    request: ProviderRequest,
    context: ProviderContext
  ) => Effect.Effect<ProviderAnswer, CommitError>
  /**
   * Maximum body size of {@link serve} in bytes, for all paths or by the path of a request; larger requests get 413.
   * Default: 4 MiB.
   */
  readonly bodyLimit?: number | ((path: string) => number)
  /** Fetches new events from a vendor that does not call us. `cursor` is null on the first call. Limit: 5 min. */
  readonly poll?: (
    connection: Connection,
    credentials: unknown,
    cursor: unknown,
    now: Instant
  ) => Effect.Effect<Polled, ProviderUnavailable>
  /** Downloads a file by the reference in its message. Limit: 10 min. */
  readonly fetchFile?: (
    connection: Connection,
    credentials: unknown,
    reference: string
  ) => Effect.Effect<FetchedFile, ProviderUnavailable | FileGone>
  /** Looks up a customer's display name, if messages do not carry it; null if the vendor has none. Limit: 30 s. */
  readonly profileName?: (
    connection: Connection,
    credentials: unknown,
    handle: string
  ) => Effect.Effect<string | null, ProviderUnavailable>
  /** Lists all templates of the account. Limit: 50 s. */
  readonly listTemplates?: (
    connection: Connection,
    credentials: unknown
  ) => Effect.Effect<ReadonlyArray<ProviderTemplate>, ProviderUnavailable>
  /**
   * Reads what was written on the account before it was connected, page by page, or asks the vendor to send it.
   * `cursor` is null on the first call (docs/reference/content.md#imported-messages). Limit: 50 s.
   */
  readonly history?: (
    connection: Connection,
    credentials: unknown,
    cursor: string | null
  ) => Effect.Effect<HistoryAnswer, ProviderUnavailable>
  /**
   * Checks the connection's settings against the vendor without sending a message. `publicUrl` is the base of this
   * service's links; absent or null if unknown. Limit: 30 s.
   */
  readonly check?: (
    connection: Connection,
    credentials: unknown,
    publicUrl?: string | null
  ) => Effect.Effect<CheckOutcome>
  /** Registers our webhook URL with the vendor. Limit: 30 s. */
  readonly setUp?: (connection: Connection, credentials: unknown, webhookUrl: string) => Effect.Effect<CheckOutcome>
}

/** The providers of the host. */
export interface ChannelProviders {
  /** By {@link ChannelProvider.kind}. */
  readonly byKind: ReadonlyMap<string, ChannelProvider>
  /** The channels that they declare, in the order of the providers. */
  readonly channels: Channels
}
export const ChannelProviders = Context.GenericTag<ChannelProviders>("@parley/core/ChannelProviders")

/**
 * The providers of a host. Throws an `Error` that says what to correct if two have one kind, a channel's name has not
 * the form of {@link channelNamePattern}, or two providers declare one channel differently.
 */
export const channelProviders = (providers: ReadonlyArray<ChannelProvider>): ChannelProviders => {
  const byKind = new Map<string, ChannelProvider>()
  const channels = new Map<Channel, ChannelDefinition>()
  for (const provider of providers) {
    if (byKind.has(provider.kind)) throw new Error(`Two channel providers have the kind ${provider.kind}. Remove one.`)
    byKind.set(provider.kind, provider)
    for (const channel of provider.channels) {
      const { identity, name, standard = false, subjects = false } = channel
      const known = channels.get(name)
      if (!channelNamePattern.test(name)) {
        throw new Error(
          `The provider ${provider.kind} declares the channel ${name}. A name is a-z, 0-9 and _, at most 32 characters, and begins with a letter.`
        )
      }
      if (name === "preferred") throw new Error("The channel name preferred is reserved for workflows. Choose another.")
      if (Schema.is(IdentityChannel)(name) && identity !== name) {
        throw new Error(
          `The provider ${provider.kind} declares the channel ${name}. ${name} is the name of an identity: declare the channel with this identity, or choose another name.`
        )
      }
      if (
        known !== undefined &&
        (known.identity !== identity ||
          (known.subjects ?? false) !== subjects ||
          (known.standard ?? false) !== standard)
      ) {
        throw new Error(
          `The provider ${provider.kind} declares the channel ${name} differently from another provider. Declare the same identity, subjects and standard.`
        )
      }
      if (known === undefined) channels.set(name, channel)
    }
  }
  return { byKind, channels: [...channels.values()] }
}
