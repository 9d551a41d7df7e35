import type { Instant } from "../Instant.js"
import type { Action } from "./definition/Action.js"
import type { RunCondition } from "./definition/RunCondition.js"

/** What a workflow does with an event of its name. */
export interface Definition {
  /** What must hold when the run begins; null: nothing. */
  readonly conditions: RunCondition | null
  readonly actions: ReadonlyArray<Action>
}

/** An automation that a business event starts (spec, Business events and automations). Only published ones run. */
export interface Workflow {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly status: "draft" | "published" | "unpublished"
  /** The name of the event that triggers it, matched exactly. */
  readonly eventName: string
  /** As it was edited last; what runs is its newest {@link WorkflowVersion}. */
  readonly definition: Definition
  /** Of the newest version; null where it was never published. */
  readonly versionId: string | null
  /** How many versions there are; the newest has this number. */
  readonly versions: number
  /** Whether the definition differs from the newest version's. */
  readonly edited: boolean
  /** What its webhooks are signed with (`whsec_…`), sealed by the SecretBox; null where none was made. */
  readonly secret: string | null
  readonly createdAt: Instant
  readonly version: number
}

/** A definition as it was published. It never changes: a run keeps the one it began with. */
export interface WorkflowVersion {
  readonly id: string
  readonly workspaceId: string
  readonly workflowId: string
  /** From 1. */
  readonly number: number
  readonly definition: Definition
  readonly createdAt: Instant
}

/** Whether an event of this name is one that it listens for. */
export const isStartedBy = (workflow: Workflow, eventName: string): boolean =>
  workflow.status === "published" && workflow.eventName === eventName
