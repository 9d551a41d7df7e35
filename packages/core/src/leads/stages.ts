import { Either } from "effect"
import type { Problems } from "../errors/Refusal.js"
import { expect, type Parts, set } from "../ports/Changes.js"
import type { Page } from "../ports/Storage.js"
import type { Lead } from "./Lead.js"
import type { LeadInput } from "./LeadInput.js"
import type { Pipeline } from "./Pipeline.js"

/** A stage of a pipeline. */
export interface Place {
  readonly pipeline: Pipeline
  /** Its key. */
  readonly stage: string
}

/** The place that an input names, or what is wrong with it; `pipelines` are those of the workspace. */
export const placeOf = (
  { pipelineId, stage }: Partial<Pick<LeadInput, "pipelineId" | "stage">>,
  pipelines: ReadonlyArray<Pipeline>
): Either.Either<Place, Problems> => {
  // What cannot be read is a problem already.
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

/** What is wrong with a stage that is named by its key: the pipeline has no such stage. */
export const stageProblems = (stage: string | undefined, pipeline: Pipeline | undefined): Problems =>
  stage === undefined || pipeline?.stages.some(({ key }) => key === stage)
    ? {}
    : { stage: ["must be the key of a stage of the pipeline"] }

const oldest = (pipelines: ReadonlyArray<Pipeline>): Pipeline | undefined =>
  [...pipelines].sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))[0]

/** Finds a lead that is in one of these stages of a pipeline. */
export const occupants = (pipelineId: string, stages: ReadonlyArray<string>): Page<"leads"> => ({
  from: "leads",
  where: { pipelineId, stage: stages },
  after: null,
  limit: 1
})

/**
 * What must hold when a lead enters a stage, so that nobody takes the stage away at the same moment. Whoever takes it away
 * saw it empty and expects the pipeline's version. So the lead that enters an empty stage raises that version; one that
 * enters behind another leaves it alone, or all leads of a pipeline would conflict, and expects that the other is still there.
 */
export const entering = ({ pipeline, stage }: Place, occupant: Lead | undefined): Parts => {
  const { id, stages, version } = pipeline
  const present = expect("pipelines", { id }, { version })
  return occupant === undefined
    ? { expects: [present], sets: [set("pipelines", { id }, { stages })] }
    : { expects: [present, expect("leads", { id: occupant.id }, { stage })] }
}
