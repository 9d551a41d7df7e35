import { Context, Data, type Effect, type Either, type Schema } from "effect"
import type { Capabilities, Channel } from "../channels/Channel.js"
import type { Connection } from "../channels/Connection.js"
import type { ErrorCode } from "../errors/Catalogue.js"
import type { Instant } from "../Instant.js"
import type { Receipt } from "../messages/Message.js"

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
  /** Which try this is, 1-based. */
  readonly attempt: number
}

/** What came of handing a message to a provider. */
export type SendOutcome = Data.TaggedEnum<{
  /**
   * It has the message. `receipts`: what the provider itself already knows will follow, each at its time; they are kept as
   * jobs, so that they survive a crash.
   */
  Accepted: { readonly providerMessageId: string; readonly receipts: ReadonlyArray<Receipt> }
  /** It will never take it. `code` is what the message's error says; `providerCode` and `providerMessage` go into the 502's details. */
  Rejected: {
    readonly scope: "message" | "recipient" | "connection" | "template"
    readonly code: ErrorCode
    readonly providerCode: string
    readonly providerMessage: string
  }
  /** Not now. It is certain not to have gone out. */
  Throttled: { readonly retryAfterMs: number | null }
  /** It failed for a while and is certain not to have gone out. */
  Transient: { readonly reason: string }
  /** It may have gone out, or not. Sent again only where the provider dedupes. */
  Unknown: { readonly reason: string }
}>
export const SendOutcome = Data.taggedEnum<SendOutcome>()

/** A channel's way to its vendor. */
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
  /** Whether a message sent twice under one id goes out once. */
  readonly dedupes: boolean
  /** Hands one message over. Every failure is an outcome. `credentials` are opened, never sealed. */
  readonly send: (
    connection: Connection,
    credentials: unknown,
    message: OutboundMessage,
    now: Instant
  ) => Effect.Effect<SendOutcome>
}

/** The providers that the host has, by kind. */
export interface ChannelProviders {
  readonly byKind: ReadonlyMap<string, ChannelProvider>
}
export const ChannelProviders = Context.GenericTag<ChannelProviders>("@parley/core/ChannelProviders")
