import { Context, Data, type Effect, type Either, type Schema, type Stream } from "effect"
import type { Capabilities, Channel, Channels } from "../model/Channel.js"
import type { Connection } from "../model/Connection.js"
import type { InboundEvent } from "../model/InboundEvent.js"
import { type Instant, minute, second } from "../model/Instant.js"
import type { Message } from "../model/Message.js"
import type { Template, TemplateParts } from "../model/Template.js"
import type { OutboundMessage, SendOutcome } from "./OutboundMessage.js"
import type { ProviderContext } from "./ProviderContext.js"
import type { ProviderAnswer, ProviderRequest, ProviderWebhook } from "./ProviderWebhook.js"
import type { CommitError } from "./StorageErrors.js"

export * from "./OutboundMessage.js"
export * from "./ProviderContext.js"
export * from "./ProviderWebhook.js"

/** Default of {@link ChannelProvider.sendTimeout}, in ms. */
export const defaultSendTimeout: number = minute

/** Timeouts of the other calls to a provider, in ms. */
export const providerTimeouts = {
  // Vendors stop waiting after about this time and redeliver.
  parse: 20 * second,
  signal: 5 * second,
  // Without it, a poll that hangs would stop the polling of its connection.
  poll: 5 * minute,
  fetchFile: 10 * minute,
  profileName: 30 * second,
  // Below the usual 60 s of a proxy in front of the admin API.
  listTemplates: 50 * second,
  history: 50 * second,
  check: 30 * second,
  setUp: 30 * second
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
export type ProviderTemplate = Pick<Template, "name" | "language" | "category" | "body"> & {
  /** Null: not known. A known template keeps its status, a new one is left out. */
  readonly status: Template["status"] | null
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
  /** Conversations, and the position of the next ones: at most 2,000 characters. Null: these were all. */
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
 * - A call has the timeout of {@link providerTimeouts}, after which it is interrupted.
 * - No state in memory between calls, except caches whose loss changes no result: another host may get the next call.
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
   * normal form of the channel's `ChannelDefinition.identity`.
   */
  readonly parseHandle: (channel: Channel, handle: string) => Either.Either<string, string>
  /**
   * Parses the business's own handle, any text without line breaks, if its form differs. Default: {@link parseHandle}.
   */
  readonly parseOwnHandle?: (channel: Channel, handle: string) => Either.Either<string, string>
  /** Validates text beyond `textMaxLength`: a message (`must be …`), or null if the channel takes the text. */
  readonly textProblem?: (connection: Connection, text: string) => string | null
  /**
   * Why the message with this provider message id cannot have a reaction: a message (`must be …`), or null if it can.
   * Default: every message can.
   */
  readonly reactionProblem?: (connection: Connection, providerMessageId: string) => string | null
  /** Whether the vendor sends a message once that is handed over twice under one id. Allows retries after `Unknown`. */
  readonly dedupes: boolean
  /** Whether the engine loads {@link OutboundMessage.thread}, which is one more read. Default: false. */
  readonly threads?: boolean | ((connection: Connection) => boolean)
  /** Whether messages need `OutboundSignedIds`: on channels where strangers can write reports. Default: false. */
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
   * How many sends of a connection run at once in one process, for vendors that take few at a time, and for messages
   * whose sends take long. The others wait before {@link send} is called. Null: the message does not wait and does not
   * count. Default: null.
   */
  readonly maxConcurrentSends?: (connection: Connection, message: Pick<Message, "attachments">) => number | null
  /**
   * Shows the customer a signal of a kind that the capabilities have (`typing`, `readMarks`). Best effort, never
   * repeated.
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
  /** Fetches new events from a vendor that does not call us. `cursor` is null on the first call. */
  readonly poll?: (
    connection: Connection,
    credentials: unknown,
    cursor: unknown,
    now: Instant
  ) => Effect.Effect<Polled, ProviderUnavailable>
  /** Downloads a file by the reference in its message. */
  readonly fetchFile?: (
    connection: Connection,
    credentials: unknown,
    reference: string
  ) => Effect.Effect<FetchedFile, ProviderUnavailable | FileGone>
  /** Looks up a customer's display name, if messages do not carry it; null if the vendor has none. */
  readonly profileName?: (
    connection: Connection,
    credentials: unknown,
    handle: string
  ) => Effect.Effect<string | null, ProviderUnavailable>
  /** Lists all templates of the account that can be sent. Known ones that are not in the list become `rejected`. */
  readonly listTemplates?: (
    connection: Connection,
    credentials: unknown
  ) => Effect.Effect<ReadonlyArray<ProviderTemplate>, ProviderUnavailable>
  /**
   * Reads what was written on the account before it was connected, page by page, or asks the vendor to send it.
   * `cursor` is null on the first call (docs/reference/content.md#imported-messages).
   */
  readonly history?: (
    connection: Connection,
    credentials: unknown,
    cursor: string | null
  ) => Effect.Effect<HistoryAnswer, ProviderUnavailable>
  /**
   * Checks the connection's settings against the vendor without sending a message. `publicUrl` is the base of this
   * service's links; absent or null if unknown.
   */
  readonly check?: (
    connection: Connection,
    credentials: unknown,
    publicUrl?: string | null
  ) => Effect.Effect<CheckOutcome>
  /** Registers our webhook URL with the vendor. */
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
