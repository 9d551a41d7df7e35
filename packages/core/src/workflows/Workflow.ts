import type { Instant } from "../Instant.js"

/** An automation that a business event starts (spec, Business events and automations). Only published ones run. */
export interface Workflow {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly status: "draft" | "published" | "unpublished"
  /** The name of the event that triggers it, matched exactly. */
  readonly eventName: string
  readonly createdAt: Instant
  readonly version: number
}

/** Whether an event of this name is one that it listens for. */
export const isStartedBy = (workflow: Workflow, eventName: string): boolean =>
  workflow.status === "published" && workflow.eventName === eventName
