import { Schema } from "effect"
import type { Channel } from "../channels/Channel.js"
import type { Instant } from "../Instant.js"

export const ConversationStatus = Schema.Literal("open", "pending", "resolved", "closed")
export type ConversationStatus = typeof ConversationStatus.Type

/** All messages between one connection and one handle; unique by that pair (decisions.md §9). */
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
  /** When the customer last wrote; the service window counts from here. Zero: never. */
  readonly lastInboundAt: Instant
  /** Up to when all that was sent is delivered and read, where receipts name a time; zero: never. */
  readonly deliveredUpTo: Instant
  readonly readUpTo: Instant
  /** How many messages are in its {@link FeedEntry feed}. */
  readonly fed: number
  /** The bot that answers in it now. */
  readonly botSessionId: string | null
  readonly createdAt: Instant
  readonly version: number
}

/** The place of a message that its customer fetches from us; unique by conversation and sequence. */
export interface FeedEntry {
  readonly conversationId: string
  /** From 1, without gaps. */
  readonly sequence: number
  readonly workspaceId: string
  readonly messageId: string
}
