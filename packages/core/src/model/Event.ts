import { Schema } from "effect"
import type { Instant } from "./Instant.js"

/** The event types of webhooks (docs/reference/events.md#event-types). */
export const EventType = Schema.Literal(
  "message.received",
  "message.queued",
  "message.sent",
  "message.delivered",
  "message.read",
  "message.failed",
  "conversation.created",
  "conversation.assigned",
  "conversation.status_changed",
  "contact.created",
  "contact.updated",
  "lead.created",
  "lead.stage_changed",
  "bot.started",
  "bot.handoff",
  "bot.completed",
  "enqueued.failed",
  "webhook.test"
)
export type EventType = typeof EventType.Type

/**
 * A state change as reported by webhooks, written by the commit of that change
 * (docs/reference/events.md#written-with-the-state-change).
 */
export interface Event {
  readonly id: string
  readonly workspaceId: string
  readonly type: EventType
  /**
   * The only application that receives the event, for its own messages and tests. Null: every application that may see
   * it (docs/reference/events.md#who-receives-an-event).
   */
  readonly applicationId: string | null
  /** The connection that must be on a receiver's allow-list; null for events of the whole workspace. */
  readonly connectionId: string | null
  /** Id of the changed resource. */
  readonly subjectId: string
  /** Whether the webhook body has the field `external_reference`. */
  readonly hasExternalReference: boolean
  readonly externalReference: string | null
  /** `data` of the webhook body, as JSON text in wire shape. */
  readonly data: string
  /**
   * The vendor's JSON of the message, at most 64 KiB of it, of the first event of a message that came from the vendor;
   * else null. For administrators only (docs/reference/content.md#vendors-json).
   */
  readonly raw: string | null
  readonly createdAt: Instant
}
