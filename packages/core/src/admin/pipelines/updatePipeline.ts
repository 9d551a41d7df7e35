import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changeProblems } from "../../input/Patch.js"
import type { Lead } from "../../leads/Lead.js"
import type { Pipeline } from "../../leads/Pipeline.js"
import { changes, expect, set } from "../../ports/Changes.js"
import { found } from "../found.js"
import type { PipelinePatch } from "./PipelineInput.js"

/** All that a change of a pipeline may look at. */
export interface PipelineWorld {
  readonly pipeline: Pipeline | undefined
  /** A lead in one of the stages that the change takes away. */
  readonly occupant: Lead | undefined
}

/** The keys of the stages that a change takes away. */
export const stagesTakenAway = (pipeline: Pipeline, { value }: Draft<PipelinePatch>): ReadonlyArray<string> => {
  const { stages } = value
  return stages === undefined
    ? []
    : pipeline.stages.flatMap(({ key }) => (stages.some((kept) => kept.key === key) ? [] : [key]))
}

/** `PATCH /pipelines/{id}`. A stage that leads are in must stay; the others come and go, in any order. */
export const updatePipeline = (
  { occupant, pipeline: present }: PipelineWorld,
  draft: Draft<PipelinePatch>
): Either.Either<Decision<Pipeline>, Refusal> =>
  Either.gen(function* () {
    const pipeline = yield* found(present)
    const { id, workspaceId, version } = pipeline
    const { name, stages } = yield* complete(
      draft,
      changeProblems({ workspace_id: [workspaceId, draft.value.workspaceId] }),
      occupant === undefined ? {} : { stages: [`must keep the stage ${occupant.stage}, because leads are in it`] }
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
