import type { Instant } from "../Instant.js"

/** A step of a pipeline, named by its key within the pipeline. */
export interface Stage {
  readonly key: string
  readonly name: string
}

/** An ordered list of stages that leads move through (spec, Lead). A workspace's oldest pipeline is its default. */
export interface Pipeline {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** At least one; new leads begin in the first. */
  readonly stages: ReadonlyArray<Stage>
  readonly createdAt: Instant
  readonly version: number
}
