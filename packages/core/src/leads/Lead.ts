import type { Instant } from "../Instant.js"

/** A contact's way through a pipeline (spec, Lead; decisions.md §10). */
export interface Lead {
  readonly id: string
  readonly workspaceId: string
  readonly contactId: string
  readonly pipelineId: string
  /** The key of a stage of the pipeline. */
  readonly stage: string
  readonly title: string | null
  /** What it may be worth, in units of the currency. */
  readonly value: number | null
  /** ISO 4217. */
  readonly currency: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}
