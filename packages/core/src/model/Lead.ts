import type { Instant } from "./Instant.js"

/** A sales opportunity of a contact in a stage of a pipeline (docs/reference/leads.md#lead-fields). */
export interface Lead {
  readonly id: string
  readonly workspaceId: string
  readonly contactId: string
  readonly pipelineId: string
  /** Key of a stage of the pipeline. */
  readonly stage: string
  readonly title: string | null
  /** Estimated value, in units of the currency. */
  readonly value: number | null
  /** ISO 4217. */
  readonly currency: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}
