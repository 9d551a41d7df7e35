import { Schema } from "effect"
import type { Instant } from "../../Instant.js"
import type { ActionKind } from "../definition/Action.js"

export const RunStatus = Schema.Literal("running", "waiting", "completed", "skipped", "failed", "stopped")
export type RunStatus = typeof RunStatus.Type

/** What became of one action. */
export interface Step {
  /** Of the action in the definition, from 0. */
  readonly position: number
  readonly type: ActionKind["type"]
  readonly name: string | null
  /** `skipped`: its `if` did not hold. */
  readonly outcome: "done" | "failed" | "skipped"
  /** What was done, or why not, for a person. */
  readonly detail: string
  readonly startedAt: Instant
  readonly endedAt: Instant
  /** How often it was tried. */
  readonly attempts: number
}

/** How far the action at hand has come, where it was begun and is not over. */
export interface Pending {
  readonly startedAt: Instant
  readonly attempts: number
  /** The message whose progress it waits for. */
  readonly messageId: string | null
  /** When a wait is over. */
  readonly until: Instant | null
}

/** One event on its way through one workflow. */
export interface Run {
  readonly id: string
  readonly workspaceId: string
  readonly workflowId: string
  readonly versionId: string
  /** Whose event started it: it has that application's mode and allow-list (decisions.md §7, §9). */
  readonly applicationId: string
  readonly contactId: string
  readonly businessEventId: string
  readonly eventName: string
  /** Of the event, as it was given. */
  readonly data: { readonly [key: string]: unknown }
  /** `skipped`: the workflow's conditions did not hold. */
  readonly status: RunStatus
  /** Of the next action, from 0. */
  readonly position: number
  readonly pending: Pending | null
  readonly steps: ReadonlyArray<Step>
  /** Why it ended before its last action, for a person. */
  readonly reason: string | null
  readonly createdAt: Instant
  readonly endedAt: Instant | null
  readonly version: number
}

/**
 * That an event with this key started a run already; its key is (application, key, workflow). It is kept for ever
 * (decisions.md §5).
 */
export interface RunKey {
  readonly workflowId: string
  readonly applicationId: string
  /** A dedupe key or an `Idempotency-Key`. */
  readonly key: string
  readonly workspaceId: string
  readonly runId: string
}

/** Whether its first action was taken, or it ended before. */
export const hasBegun = (run: Pick<Run, "pending" | "status" | "steps">): boolean =>
  run.steps.length > 0 || run.pending !== null || isOver(run)

/** Whether there is nothing left to do for it. */
export const isOver = ({ status }: Pick<Run, "status">): boolean => status !== "running" && status !== "waiting"
