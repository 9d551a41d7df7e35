import type { Instant } from "./Instant.js"

/** A stage of a pipeline, identified by its key within the pipeline. */
export interface Stage {
  readonly key: string
  readonly name: string
}

/**
 * An ordered list of stages that leads move through (docs/reference/leads.md#pipelines-and-stages). A workspace's
 * oldest pipeline is its default.
 */
export interface Pipeline {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** At least one. New leads start in the first. */
  readonly stages: ReadonlyArray<Stage>
  readonly createdAt: Instant
  readonly version: number
}
