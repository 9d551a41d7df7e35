import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { ofWorkspace, type WorkspaceListQuery } from "../../kernel/input/WorkspaceListQuery.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Pipeline } from "../../model/Pipeline.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { createPipeline } from "./createPipeline.js"
import type { PipelineInput, PipelinePatch } from "./PipelineInput.js"
import { leadsInStages } from "./stages.js"
import { type PipelineWorld, removedStages, updatePipeline } from "./updatePipeline.js"

/**
 * Administration of pipelines (docs/reference/administration.md#templates-pipelines-and-custom-fields). Fails with
 * `not_found` for an unknown id.
 */
export interface AdminPipelines {
  readonly create: (decoded: PartialDecode<PipelineInput>) => Effect.Effect<Pipeline, Refusal | CommitError>
  readonly list: (query: PartialDecode<WorkspaceListQuery>) => Effect.Effect<Listed<Pipeline>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Pipeline, Refusal | ReadError>
  readonly update: (id: string, decoded: PartialDecode<PipelinePatch>) => Effect.Effect<Pipeline, Refusal | CommitError>
}
export const AdminPipelines = Context.GenericTag<AdminPipelines>("@parley/core/AdminPipelines")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "pipelines", id)

  const loadUpdate = (id: string, decoded: PartialDecode<PipelinePatch>): Effect.Effect<PipelineWorld, ReadError> =>
    Effect.gen(function* () {
      const pipeline = yield* load(id)
      const gone = pipeline === undefined ? [] : removedStages(pipeline, decoded)
      const [leadInStage] = gone.length === 0 ? [] : yield* storage.list(leadsInStages(id, gone))
      return { pipeline, leadInStage }
    })

  return AdminPipelines.of({
    create: (decoded) => {
      const { workspaceId } = decoded.value
      const world = readById(storage, "workspaces", workspaceId)
      return decideAndCommit(world, (workspace, now, ids) => createPipeline(workspace, decoded, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "pipelines", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) => decideAndCommit(loadUpdate(id, decoded), (world) => updatePipeline(world, decoded))
  })
})
