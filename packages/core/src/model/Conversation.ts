import { Schema } from "effect"
import type { Channel } from "./Channel.js"
import type { Instant } from "./Instant.js"

export const ConversationStatus = Schema.Literal("open", "pending", "resolved", "closed")
export type ConversationStatus = typeof ConversationStatus.Type

/**
 * All messages between one connection and one handle, which are unique as a pair
 * (docs/reference/conversations.md#one-conversation-per-connection-and-handle).
 */
export interface Conversation {
  readonly id: string
  readonly workspaceId: string
  readonly connectionId: string
  readonly channel: Channel
  /** The customer's normalised handle on the channel. */
  readonly handle: string
  readonly contactId: string
  readonly status: ConversationStatus
  readonly assignedUserId: string | null
  readonly assignedTeamId: string | null
  readonly lastActivityAt: Instant
  /** Time of the customer's last message, the start of the service window. 0: none. */
  readonly lastInboundAt: Instant
  /**
   * Watermarks: all messages sent up to these times are delivered, or read. 0: none
   * (docs/reference/sends.md#watermark-receipts).
   */
  readonly deliveredUpTo: Instant
  readonly readUpTo: Instant
  /** Number of entries in its {@link FeedEntry feed}. */
  readonly fed: number
  /** The active bot session. */
  readonly botSessionId: string | null
  readonly createdAt: Instant
  readonly version: number
}

/**
 * Position of a message in the feed that its customer fetches; primary key (conversation, sequence)
 * (docs/reference/sends.md#feeds).
 */
export interface FeedEntry {
  readonly conversationId: string
  /** From 1, without gaps. */
  readonly sequence: number
  readonly workspaceId: string
  readonly messageId: string
}
