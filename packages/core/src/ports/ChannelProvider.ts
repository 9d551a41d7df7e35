import { Context, Data, type Effect, type Either, type Schema, type Stream } from "effect"
import type { Capabilities, Channel } from "../channels/Channel.js"
import type { Connection } from "../channels/Connection.js"
import type { ErrorCode } from "../errors/Catalogue.js"
import type { Instant } from "../Instant.js"
import type { InboundEvent } from "../inbound/InboundEvent.js"
import type { Message, Receipt } from "../messages/Message.js"
import type { Template } from "../templates/Template.js"
import type { CommitError, ReadError } from "./Storage.js"

/** A message as a provider gets it. */
export interface OutboundMessage {
  /** Our id: for providers that dedupe by it or carry it on receipts. */
  readonly id: string
  /** Normalised. */
  readonly to: string
  /** Null: free text. */
  readonly template: {
    readonly name: string
    readonly language: string
    readonly variables: ReadonlyArray<string>
  } | null
  /** The text; of a template, the rendered one. */
  readonly body: string
  readonly subject: string | null
  /** The same as HTML, of an email that has it. Default: null. */
  readonly html?: string | null
  /** What was said before in the conversation, oldest first, at most ten; empty where the provider does not thread. */
  readonly thread: ReadonlyArray<ThreadMessage>
  /** Which try this is, 1-based. */
  readonly attempt: number
}

/** A message of a conversation, as far as an answer to it needs it. */
export type ThreadMessage = Pick<Message, "direction" | "subject"> & { readonly providerMessageId: string }

/** What came of handing a message to a provider. */
export type SendOutcome = Data.TaggedEnum<{
  /**
   * It has the message. `receipts`: what the provider itself already knows will follow, each at its time; they are kept as
   * jobs, so that they survive a crash.
   */
  Accepted: { readonly providerMessageId: string; readonly receipts: ReadonlyArray<Receipt> }
  /**
   * It will never take it. `code` is what the message's error says; `providerCode` and `providerMessage` go into the 502's
   * details. One of scope `connection` disconnects the connection, and the administrators are told.
   */
  Rejected: {
    readonly scope: "message" | "recipient" | "connection" | "template"
    readonly code: ErrorCode
    readonly providerCode: string
    readonly providerMessage: string
    /** What the customer told the vendor that they want no more of. */
    readonly optOut?: "all" | "marketing"
  }
  /**
   * Not now. It is certain not to have gone out. Of scope `connection` (the default), nothing of the connection goes out on
   * any host until then.
   */
  Throttled: { readonly retryAfterMs: number | null; readonly scope?: "connection" | "recipient" }
  /** The customer has another handle there now, to which the message is sent instead. It is certain not to have gone out. */
  Moved: { readonly handle: string }
  /** It failed for a while and is certain not to have gone out. */
  Transient: { readonly reason: string }
  /** It may have gone out, or not. Sent again only where the provider dedupes. */
  Unknown: { readonly reason: string }
}>
export const SendOutcome = Data.taggedEnum<SendOutcome>()

/** A request that reached `/inbound/{connection}`. */
export interface ProviderRequest {
  readonly method: string
  /** What follows the connection in the path: empty, or such as `/messages`. */
  readonly path: string
  /** Decoded; of a parameter given several times, the first. */
  readonly query: { readonly [name: string]: string | undefined }
  /** By lower-case name; of one given several times, joined by commas. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** As it came: signatures are checked on these bytes. */
  readonly body: Uint8Array
  /** The client's address, where it is known. */
  readonly address?: string
}

/** A request that was let in and is not of the shape that the vendor sends: answered with 400. */
export class WebhookUnreadable extends Data.TaggedError("WebhookUnreadable")<{ readonly reason: string }> {}

/** What a request tells of one of the vendor's accounts. */
export interface AccountEvents {
  /** By {@link ProviderWebhook.accountOf}; null: the connection's own that was asked. */
  readonly account: string | null
  readonly events: ReadonlyArray<InboundEvent>
}

/** How a vendor calls us. The engine answers 2xx only once all events of a request are durably stored. */
export interface ProviderWebhook {
  /** The longest body in bytes, above which a request is answered with 413. Default: 4 MiB. */
  readonly bodyLimit?: number
  /** Answers the vendor's check of the URL, a GET: the text to answer with, or null to refuse it with 403. */
  readonly challenge?: (connection: Connection, credentials: unknown, request: ProviderRequest) => string | null
  /** Whether the vendor sent this: by the raw bytes, in constant time. Nothing of a request is parsed before. */
  readonly verify: (connection: Connection, credentials: unknown, request: ProviderRequest) => boolean
  /** Everything that a request tells, in its order: all entries of a batch, and what is unknown as it came. */
  readonly parse: (
    connection: Connection,
    request: ProviderRequest,
    now: Instant
  ) => Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable>
  /**
   * The vendor's account behind a connection, where the vendor tells of several in one request: events of another one go to
   * the connection of the same workspace that has it, if it verifies the request too.
   */
  readonly accountOf?: (connection: Connection) => string
}

/** The vendor did not answer as it should; the work is done again later. */
export class ProviderUnavailable extends Data.TaggedError("ProviderUnavailable")<{ readonly reason: string }> {}

/** What came of asking a mailbox or the like for news. */
export interface Polled {
  readonly events: ReadonlyArray<InboundEvent>
  /** Where to go on: JSON, kept once the events are durably stored, and given with the next call. */
  readonly cursor: unknown
  /** When to ask again, in ms. */
  readonly againInMs: number
}

/** A file that a customer sent, on its way. */
export interface FetchedFile {
  readonly contentType: string | null
  readonly fileName: string | null
  readonly bytes: Stream.Stream<Uint8Array, ProviderUnavailable>
}

/** The vendor does not have the file any more. */
export class FileGone extends Data.TaggedError("FileGone")<{ readonly reason: string }> {}

/** A template as the vendor has it. `body` has slots by position, as ours. */
export type ProviderTemplate = Pick<Template, "name" | "language" | "category" | "body" | "status">

/** What a vendor says of a connection's settings, in our own words: what is well, or what to do. */
export type CheckOutcome = Data.TaggedEnum<{
  Working: { readonly detail: string }
  Failing: { readonly problem: string }
}>
export const CheckOutcome = Data.taggedEnum<CheckOutcome>()

/** At most so many messages in a time; `burst` of them may go at once. */
export interface Rate {
  readonly messages: number
  /** In ms. */
  readonly per: number
  readonly burst: number
}

/** How fast a connection may send; null where there is no limit. */
export interface SendRates {
  readonly connection: Rate | null
  /** To one customer. */
  readonly recipient: Rate | null
}

/** A message that was sent to a customer who fetches it here, at its place in the conversation's feed. */
export interface FedMessage {
  /** From 1, without gaps. */
  readonly sequence: number
  readonly message: Message
}

/** What a provider that serves its customers itself may do with the engine, on one connection. */
export interface ConnectionDoor {
  /** Takes events in: durable when it answers. */
  readonly receive: (events: ReadonlyArray<InboundEvent>) => Effect.Effect<void, CommitError>
  /** Messages from and to a handle, newest first, before the message of an id. */
  readonly history: (
    handle: string,
    before: string | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Message>, ReadError>
  /** What was sent to a handle after a place in its feed, oldest first. */
  readonly fed: (handle: string, after: number, limit: number) => Effect.Effect<ReadonlyArray<FedMessage>, ReadError>
  /** How many messages are in a handle's feed: the place of the latest, zero before the first. */
  readonly latestFed: (handle: string) => Effect.Effect<number, ReadError>
  /** Emits as soon as it watches a handle's feed, and whenever there may be more in it; never ends. */
  readonly news: (handle: string) => Stream.Stream<void>
}

/** What a provider answers to its customers. A stream is sent as it comes. */
export interface ProviderAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array | Stream.Stream<Uint8Array>
}

/** A channel's way to its vendor. Only what the channel has is there. */
export interface ChannelProvider {
  /** What connections name it by, such as `sandbox`. */
  readonly kind: string
  /** The channels that a connection of it may have. */
  readonly channels: ReadonlyArray<Channel>
  /** What `config` of a connection must be (wire shape). */
  readonly config: Schema.Schema.AnyNoContext
  /** What `credentials` of a connection must be (wire shape). */
  readonly credentials: Schema.Schema.AnyNoContext
  readonly capabilities: (connection: Connection) => Capabilities
  /** The normalised handle, or why it is none in our own words (`must be …`). */
  readonly parseHandle: (channel: Channel, handle: string) => Either.Either<string, string>
  /** The same of the business's own handle, where it is not of the customers' form. */
  readonly parseOwnHandle?: (channel: Channel, handle: string) => Either.Either<string, string>
  /** Why the channel does not take this text, beyond its length in characters, in our own words (`must be …`), or null. */
  readonly textProblem?: (connection: Connection, text: string) => string | null
  /** Whether a message sent twice under one id goes out once. */
  readonly dedupes: boolean
  /** Whether {@link OutboundMessage.thread} is wanted. */
  readonly threads?: boolean
  /** Whether receipts may name a time instead of a message (`Watermark`). */
  readonly watermarks?: boolean
  /** How fast a connection may send. Default: as fast as it can. */
  readonly rates?: (connection: Connection) => SendRates
  /** Hands one message over. Every failure is an outcome. `credentials` are opened, never sealed. */
  readonly send: (
    connection: Connection,
    credentials: unknown,
    message: OutboundMessage,
    now: Instant
  ) => Effect.Effect<SendOutcome>
  /** How the vendor calls us, at `/inbound/{connection}`. */
  readonly webhook?: ProviderWebhook
  /** Serves the channel's customers themselves at `/inbound/{connection}`; what is sent to them waits in a feed. */
  readonly serve?: (
    connection: Connection,
    credentials: unknown,
    request: ProviderRequest,
    door: ConnectionDoor
  ) => Effect.Effect<ProviderAnswer, CommitError>
  /** The longest body in bytes that {@link serve} takes, above which a request is answered with 413. Default: 4 MiB. */
  readonly bodyLimit?: number
  /** Asks the vendor for news, where it does not call us. `cursor` is null at first. */
  readonly poll?: (
    connection: Connection,
    credentials: unknown,
    cursor: unknown,
    now: Instant
  ) => Effect.Effect<Polled, ProviderUnavailable>
  /** Fetches a file that a message referred to. */
  readonly fetchFile?: (
    connection: Connection,
    credentials: unknown,
    reference: string
  ) => Effect.Effect<FetchedFile, ProviderUnavailable | FileGone>
  /** What a customer calls themselves, where messages do not tell. */
  readonly profileName?: (
    connection: Connection,
    credentials: unknown,
    handle: string
  ) => Effect.Effect<string | null, ProviderUnavailable>
  /** The account's templates. */
  readonly listTemplates?: (
    connection: Connection,
    credentials: unknown
  ) => Effect.Effect<ReadonlyArray<ProviderTemplate>, ProviderUnavailable>
  /** Tries the connection's settings without sending anything. */
  readonly check?: (connection: Connection, credentials: unknown) => Effect.Effect<CheckOutcome>
  /** Has the vendor call us at this URL. */
  readonly setUp?: (connection: Connection, credentials: unknown, webhookUrl: string) => Effect.Effect<CheckOutcome>
}

/** The providers that the host has, by kind. */
export interface ChannelProviders {
  readonly byKind: ReadonlyMap<string, ChannelProvider>
}
export const ChannelProviders = Context.GenericTag<ChannelProviders>("@parley/core/ChannelProviders")
