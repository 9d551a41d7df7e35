import type { Action } from "./Action.js"
import type { Instant } from "./Instant.js"
import type { RunCondition } from "./RunCondition.js"

/** The conditions and actions of a workflow. */
export interface Definition {
  /** Evaluated when the run starts; null: always true. */
  readonly conditions: RunCondition | null
  readonly actions: ReadonlyArray<Action>
}

/**
 * An automation triggered by a business event. Only published workflows run
 * (docs/reference/automations.md#workflow-status).
 */
export interface Workflow {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly status: "draft" | "published" | "unpublished"
  /** Name of the triggering event, matched exactly. */
  readonly eventName: string
  /** The draft. Runs use the newest {@link WorkflowVersion}. */
  readonly definition: Definition
  /** Id of the newest version; null if never published. */
  readonly versionId: string | null
  /** Number of versions, and of the newest one. */
  readonly versions: number
  /** Whether the draft differs from the newest version. */
  readonly edited: boolean
  /** Signing secret of its webhook calls (`whsec_…`), sealed by the SecretBox; null if it has none. */
  readonly secret: string | null
  readonly createdAt: Instant
  readonly version: number
}

/** A published definition. Immutable: a run keeps the version it started with. */
export interface WorkflowVersion {
  readonly id: string
  readonly workspaceId: string
  readonly workflowId: string
  /** From 1. */
  readonly number: number
  readonly definition: Definition
  readonly createdAt: Instant
}

/** Whether an event of this name starts the workflow. */
export const isStartedBy = (workflow: Workflow, eventName: string): boolean =>
  workflow.status === "published" && workflow.eventName === eventName
