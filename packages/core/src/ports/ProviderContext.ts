import type { Effect, Stream } from "effect"
import type { InboundEvent } from "../model/InboundEvent.js"
import type { Instant } from "../model/Instant.js"
import type { Message } from "../model/Message.js"
import type { CommitError, ReadError } from "./StorageErrors.js"

/**
 * An outbound message in the feed of its conversation, from which the customer's client fetches it
 * (docs/reference/sends.md#feeds).
 */
export interface FedMessage {
  /** From 1, without gaps. */
  readonly sequence: number
  readonly message: Message
}

/** A part of a handle's feed. */
export interface FedPage {
  /** Id of the feed; null: the handle has none. After an erasure the handle gets another one, from sequence 1. */
  readonly feed: string | null
  /** Oldest first. */
  readonly messages: ReadonlyArray<FedMessage>
}

/** An agent as customers see them. */
export interface ShownAgent {
  readonly name: string
  /** Null: no image. */
  readonly avatarUrl: string | null
}

/** The engine's operations for `ChannelProvider.serve`, limited to one connection. */
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
  /** Messages from and to a handle by id. Ids of messages of others have none. */
  readonly messages: (
    handle: string,
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, Message>, ReadError>
  /** The feed of a handle after sequence `after`. */
  readonly fed: (handle: string, after: number, limit: number) => Effect.Effect<FedPage, ReadError>
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
