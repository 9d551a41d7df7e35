import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { PipelineInput, PipelinePatch, PipelineResource, WorkspaceListQuery } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { single } from "../contract/single.js"

const id = pathId("id", "pipeline")

/** Pipelines: the stages that leads move through (docs/reference/leads.md#pipelines-and-stages). */
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
  .annotate(OpenApi.Description, "The stages through which leads move. A workspace's oldest pipeline is its default.")
