import { Either } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import type { Lead } from "../../model/Lead.js"
import type { Pipeline } from "../../model/Pipeline.js"
import { expect, type Parts, set } from "../../ports/Changes.js"
import type { Page } from "../../ports/Storage.js"
import type { LeadInput } from "./LeadInput.js"

/** A stage of a pipeline. */
export interface PipelineStage {
  readonly pipeline: Pipeline
  /** Key of the stage. */
  readonly stage: string
}

/**
 * Resolves the pipeline and the stage of an input, or returns the problems. `pipelines` are all pipelines of the
 * workspace.
 */
export const resolveStage = (
  { pipelineId, stage }: Partial<Pick<LeadInput, "pipelineId" | "stage">>,
  pipelines: ReadonlyArray<Pipeline>
): Either.Either<PipelineStage, Problems> => {
  // The decoder has already reported a field that is not readable.
  if (pipelineId === undefined) return Either.left({})
  const pipeline = pipelineId === null ? oldest(pipelines) : pipelines.find(({ id }) => id === pipelineId)
  if (pipeline === undefined) {
    return Either.left({
      pipeline_id: [
        pipelineId === null
          ? "has no default, because the workspace has no pipeline: ask its administrator to create one"
          : "must be the id of a pipeline of this workspace"
      ]
    })
  }
  if (stage === undefined) return Either.left({})
  const key = stage ?? (pipeline.stages[0]?.key as string)
  const problems = stageProblems(key, pipeline)
  return Object.keys(problems).length === 0 ? Either.right({ pipeline, stage: key }) : Either.left(problems)
}

/** Validates a stage key: the pipeline must have the stage. */
export const stageProblems = (stage: string | undefined, pipeline: Pipeline | undefined): Problems =>
  stage === undefined || pipeline?.stages.some(({ key }) => key === stage)
    ? {}
    : { stage: ["must be the key of a stage of the pipeline"] }

const oldest = (pipelines: ReadonlyArray<Pipeline>): Pipeline | undefined =>
  [...pipelines].sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))[0]

/** Query for one lead in any of these stages of a pipeline. */
export const leadsInStages = (pipelineId: string, stages: ReadonlyArray<string>): Page<"leads"> => ({
  from: "leads",
  where: { pipelineId, stage: stages },
  after: null,
  limit: 1
})

/**
 * Changes of a lead that enters a stage, so that a concurrent removal of the stage conflicts
 * (docs/reference/leads.md#stages-in-use). The removal saw an empty stage and expects the pipeline's version. So a lead
 * that enters an empty stage bumps that version. A lead that enters behind another one expects that the other is still
 * there and bumps nothing; else all leads of a pipeline would conflict with each other.
 */
export const expectStage = ({ pipeline, stage }: PipelineStage, leadInStage: Lead | undefined): Parts => {
  const { id, stages, version } = pipeline
  const present = expect("pipelines", { id }, { version })
  return leadInStage === undefined
    ? { expects: [present], sets: [set("pipelines", { id }, { stages })] }
    : { expects: [present, expect("leads", { id: leadInStage.id }, { stage })] }
}
