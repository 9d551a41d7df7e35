import type { Instant } from "../Instant.js"
import type { Script } from "./Script.js"

export type BotOutcome = "finished" | "timed_out" | "stopped" | "failed"

/** One dialogue of a bot on a conversation, which has at most one that is active. */
export interface BotSession {
  readonly id: string
  readonly workspaceId: string
  readonly botId: string
  readonly botName: string
  /** As it was when the dialogue began. */
  readonly script: Script
  readonly conversationId: string
  readonly contactId: string
  readonly connectionId: string
  /** Whose event's run started it: nobody else hears of it or sees what it says (decisions.md §9); null: none. */
  readonly applicationId: string | null
  /** The run that started it. */
  readonly workflowRunId: string | null
  readonly status: "active" | "handed_off" | "completed"
  /** Once it is completed. */
  readonly outcome: BotOutcome | null
  /** The key of the step whose answer is waited for. */
  readonly step: string | null
  /** How often that was asked. */
  readonly tries: number
  readonly answers: { readonly [key: string]: string | number | boolean }
  /** The customer's message that was taken last; those before it were too. */
  readonly takenUpTo: string
  readonly startedAt: Instant
  /** When it times out. */
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
  readonly version: number
}
