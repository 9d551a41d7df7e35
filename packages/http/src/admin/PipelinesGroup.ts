import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { PipelineInput, PipelinePatch, PipelineResource, uuid, WorkspaceListQuery } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { single } from "../contract/single.js"

const id = HttpApiSchema.param("id", uuid)

/** Pipelines: the stages that leads move through (spec, Lead). */
export const PipelinesGroup = HttpApiGroup.make("pipelines")
  .add(
    HttpApiEndpoint.post("create")`/pipelines`
      .setPayload(PipelineInput)
      .addSuccess(single(PipelineResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create a pipeline")
  )
  .add(
    HttpApiEndpoint.get("list")`/pipelines`
      .setUrlParams(WorkspaceListQuery)
      .addSuccess(cursorPage(PipelineResource))
      .annotate(OpenApi.Summary, "List pipelines, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/pipelines/${id}`
      .addSuccess(single(PipelineResource))
      .annotate(OpenApi.Summary, "Read one pipeline")
  )
  .add(
    HttpApiEndpoint.patch("update")`/pipelines/${id}`
      .setPayload(PipelinePatch)
      .addSuccess(single(PipelineResource))
      .annotate(OpenApi.Summary, "Change a pipeline's name or stages")
  )
  .annotate(OpenApi.Title, "Pipelines")
  .annotate(OpenApi.Description, "The stages that leads move through. A workspace's oldest pipeline is its default.")
