import { Context, Effect, Layer } from "effect"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import type { Pipeline } from "../../leads/Pipeline.js"
import { occupants } from "../../leads/stages.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { ofWorkspace, type WorkspaceListQuery } from "../WorkspaceListQuery.js"
import { createPipeline } from "./createPipeline.js"
import type { PipelineInput, PipelinePatch } from "./PipelineInput.js"
import { type PipelineWorld, stagesTakenAway, updatePipeline } from "./updatePipeline.js"

/** Administration of pipelines (decisions.md §14). An unknown id is `not_found`. */
export interface AdminPipelines {
  readonly create: (draft: Draft<PipelineInput>) => Effect.Effect<Pipeline, Refusal | CommitError>
  readonly list: (query: Draft<WorkspaceListQuery>) => Effect.Effect<Listed<Pipeline>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Pipeline, Refusal | ReadError>
  readonly update: (id: string, draft: Draft<PipelinePatch>) => Effect.Effect<Pipeline, Refusal | CommitError>
}
export const AdminPipelines = Context.GenericTag<AdminPipelines>("@parley/core/AdminPipelines")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "pipelines", id)

  const loadUpdate = (id: string, draft: Draft<PipelinePatch>): Effect.Effect<PipelineWorld, ReadError> =>
    Effect.gen(function* () {
      const pipeline = yield* load(id)
      const gone = pipeline === undefined ? [] : stagesTakenAway(pipeline, draft)
      const [occupant] = gone.length === 0 ? [] : yield* storage.list(occupants(id, gone))
      return { pipeline, occupant }
    })

  return AdminPipelines.of({
    create: (draft) => {
      const { workspaceId } = draft.value
      const world = readById(storage, "workspaces", workspaceId)
      return decideAndCommit(world, (workspace, now, ids) => createPipeline(workspace, draft, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "pipelines", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) => decideAndCommit(loadUpdate(id, draft), (world) => updatePipeline(world, draft))
  })
})

export const layer: Layer.Layer<AdminPipelines, never, Storage | Decider> = Layer.effect(AdminPipelines, make)
