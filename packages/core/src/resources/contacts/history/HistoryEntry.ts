import type { Channel } from "../../../model/Channel.js"
import type { Instant } from "../../../model/Instant.js"

/** What happened in an entry of a contact's history (docs/reference/administration.md#contact-history). */
export const historyTypes = [
  "contact_created",
  "contact_changed",
  "contact_merged",
  "opt_out",
  "opt_in",
  "message_received",
  "message_sent",
  "conversation_opened",
  "conversation_assigned",
  "conversation_status_changed",
  "lead_opened",
  "lead_moved",
  "task_opened",
  "event_received",
  "run_started",
  "bot_started"
] as const
export type HistoryType = (typeof historyTypes)[number]

export const historySubjects = [
  "contact",
  "conversation",
  "message",
  "lead",
  "task",
  "event",
  "workflow_run",
  "bot_session"
] as const

/** An entry of a contact's history. */
export interface HistoryEntry {
  /** Id of the row that records it, unique in a history. Its time orders the entries. */
  readonly id: string
  readonly at: Instant
  readonly type: HistoryType
  /** The resource that it happened to. */
  readonly subjectType: (typeof historySubjects)[number]
  readonly subjectId: string
  readonly channel: Channel | null
  /** The present status of the resource; null if it has none. */
  readonly status: string | null
  /** For people. */
  readonly explanation: string
}
