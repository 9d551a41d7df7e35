import { Schema } from "effect"
import type { ActionKind } from "./Action.js"
import type { Instant } from "./Instant.js"

export const RunStatus = Schema.Literal("running", "waiting", "completed", "skipped", "failed", "stopped")
export type RunStatus = typeof RunStatus.Type

/** The result of one action of a run. */
export interface Step {
  /** Index of the action in the definition, from 0. */
  readonly position: number
  readonly type: ActionKind["type"]
  readonly name: string | null
  /** `skipped`: its `if` was false. */
  readonly outcome: "done" | "failed" | "skipped"
  /** Human-readable result or reason. */
  readonly detail: string
  readonly startedAt: Instant
  readonly endedAt: Instant
  /** Number of tries. */
  readonly attempts: number
  /** The lead that it created; absent for other actions. */
  readonly leadId?: string
}

/** Progress of the current action, if it started and has not ended. */
export interface Pending {
  readonly startedAt: Instant
  readonly attempts: number
  /** The message whose status it waits for. */
  readonly messageId: string | null
  /** End of a wait, in ms. */
  readonly until: Instant | null
  /** For people: the local time at which the wait ends, with its time zone. Absent for a duration. */
  readonly localTime?: string
  /** The last answer or error of a call that is tried again. */
  readonly error?: string
}

/** The execution of one workflow for one business event (docs/reference/automations.md#run-status). */
export interface Run {
  readonly id: string
  readonly workspaceId: string
  readonly workflowId: string
  readonly versionId: string
  /**
   * The application whose event started it; the run sends with its mode and allow-list
   * (docs/reference/automations.md#sender-of-a-run).
   */
  readonly applicationId: string
  readonly contactId: string
  readonly businessEventId: string
  readonly eventName: string
  /** `data` of the event, with numbers as doubles. */
  readonly data: { readonly [key: string]: unknown }
  /** `data` as JSON text with all digits; null where doubles hold all of its numbers. */
  readonly exactData: string | null
  /** `skipped`: the workflow's conditions were false. */
  readonly status: RunStatus
  /** Index of the next action, from 0. */
  readonly position: number
  readonly pending: Pending | null
  readonly steps: ReadonlyArray<Step>
  /** Human-readable reason for ending before the last action. */
  readonly reason: string | null
  readonly createdAt: Instant
  readonly endedAt: Instant | null
  readonly version: number
}

/**
 * Records that an event with this key started a run; primary key (application, key, workflow). Never purged
 * (docs/reference/events.md#deduplication-of-events).
 */
export interface RunKey {
  readonly workflowId: string
  readonly applicationId: string
  /** A dedupe key or an `Idempotency-Key`. */
  readonly key: string
  readonly workspaceId: string
  readonly runId: string
}

/** Whether its first action started, or the run ended before. */
export const hasBegun = (run: Pick<Run, "pending" | "status" | "steps">): boolean =>
  run.steps.length > 0 || run.pending !== null || isOver(run)

/** Whether the run has ended. */
export const isOver = ({ status }: Pick<Run, "status">): boolean => status !== "running" && status !== "waiting"
