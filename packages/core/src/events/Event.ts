import { Schema } from "effect"
import type { Instant } from "../Instant.js"

/** The events that webhooks carry (spec, Events). */
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
  "webhook.test"
)
export type EventType = typeof EventType.Type

/** Something that happened, as it was at its commit; written by the commit that made it happen. */
export interface Event {
  readonly id: string
  readonly workspaceId: string
  readonly type: EventType
  /** The application whose own message or test this is about; null where every application with the right may hear. */
  readonly applicationId: string | null
  /** The connection whose allow-listing decides who hears; null for workspace-wide events. */
  readonly connectionId: string | null
  /** The resource it is about. */
  readonly subjectId: string
  /** Whether the body of its webhooks has an `external_reference`. */
  readonly hasExternalReference: boolean
  readonly externalReference: string | null
  /** `data` of the webhook body in wire shape: JSON text. */
  readonly data: string
  readonly createdAt: Instant
}
