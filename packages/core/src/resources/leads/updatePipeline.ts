import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems } from "../../kernel/input/Patch.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Lead } from "../../model/Lead.js"
import type { Pipeline } from "../../model/Pipeline.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { PipelinePatch } from "./PipelineInput.js"

/** What a change of a pipeline may read. */
export interface PipelineWorld {
  readonly pipeline: Pipeline | undefined
  /** A lead in one of the stages that the change removes. */
  readonly leadInStage: Lead | undefined
}

/** The keys of the stages that a change removes. */
export const removedStages = (pipeline: Pipeline, { value }: PartialDecode<PipelinePatch>): ReadonlyArray<string> => {
  const { stages } = value
  return stages === undefined
    ? []
    : pipeline.stages.flatMap(({ key }) => (stages.some((remaining) => remaining.key === key) ? [] : [key]))
}

/** `PATCH /pipelines/{id}`. Stages with leads cannot be removed. Other stages may be added, removed and reordered. */
export const updatePipeline = (
  { leadInStage, pipeline: present }: PipelineWorld,
  decoded: PartialDecode<PipelinePatch>
): Either.Either<Decision<Pipeline>, Refusal> =>
  Either.gen(function* () {
    const pipeline = yield* orNotFound(present)
    const { id, workspaceId, version } = pipeline
    const { name, stages } = yield* complete(
      decoded,
      changeProblems({ workspace_id: [workspaceId, decoded.value.workspaceId] }),
      leadInStage === undefined ? {} : { stages: [`must keep the stage ${leadInStage.stage}, because leads are in it`] }
    )
    const values: Partial<Pipeline> = {
      ...(name === undefined ? {} : { name }),
      ...(stages === undefined ? {} : { stages })
    }
    if (Object.keys(values).length === 0) return { changes: null, result: pipeline }
    return {
      changes: changes(workspaceId, {
        expects: [expect("pipelines", { id }, { version })],
        sets: [set("pipelines", { id }, values)]
      }),
      result: { ...pipeline, ...values, version: version + 1 }
    }
  })
