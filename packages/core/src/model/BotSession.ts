import type { Instant } from "./Instant.js"
import type { Script } from "./Script.js"

export type BotOutcome = "finished" | "timed_out" | "stopped" | "failed"

/**
 * One dialogue of a bot in a conversation. A conversation has at most one active session
 * (docs/reference/automations.md#bot-session-status).
 */
export interface BotSession {
  readonly id: string
  readonly workspaceId: string
  readonly botId: string
  readonly botName: string
  /** The bot's script at the start of the dialogue. */
  readonly script: Script
  readonly conversationId: string
  readonly contactId: string
  readonly connectionId: string
  /**
   * The application whose event started it, if a run did: no other application receives its events or sees its messages
   * (docs/reference/authentication.md#visibility). Null if no application's event started it.
   */
  readonly applicationId: string | null
  /** The workflow run that started it. */
  readonly workflowRunId: string | null
  readonly status: "active" | "handed_off" | "completed"
  /** Set when the session is completed. */
  readonly outcome: BotOutcome | null
  /** In English: why it failed, was handed off by the host, or ended without its last text. Else null. */
  readonly reason: string | null
  /** Key of the step that waits for an answer. */
  readonly step: string | null
  /** How often that step was asked. */
  readonly tries: number
  readonly answers: { readonly [key: string]: string | number | boolean }
  /** Id of the last customer message that the bot handled; all earlier ones were handled too. */
  readonly takenUpTo: string
  readonly startedAt: Instant
  /** Time of the timeout, in ms. */
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
  readonly version: number
}
