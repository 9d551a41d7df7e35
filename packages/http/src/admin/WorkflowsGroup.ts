import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { uuid, WorkflowInput, WorkflowPatch, WorkflowResource, WorkspaceListQuery } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = HttpApiSchema.param("id", uuid)

/** Workflows: automations that a business event starts (spec, Business events and automations). They have no actions yet. */
export const WorkflowsGroup = HttpApiGroup.make("workflows")
  .add(
    HttpApiEndpoint.post("create")`/workflows`
      .setPayload(WorkflowInput)
      .addSuccess(single(WorkflowResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create a workflow as a draft")
  )
  .add(
    HttpApiEndpoint.get("list")`/workflows`
      .setUrlParams(WorkspaceListQuery)
      .addSuccess(cursorPage(WorkflowResource))
      .annotate(OpenApi.Summary, "List workflows, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/workflows/${id}`
      .addSuccess(single(WorkflowResource))
      .annotate(OpenApi.Summary, "Read one workflow")
  )
  .add(
    HttpApiEndpoint.patch("update")`/workflows/${id}`
      .setPayload(WorkflowPatch)
      .addSuccess(single(WorkflowResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Rename a workflow, or change the trigger of one that is not published")
  )
  .add(
    HttpApiEndpoint.post("publish")`/workflows/${id}/publish`
      .addSuccess(single(WorkflowResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Publish a workflow: events of its name count for it at once")
  )
  .add(
    HttpApiEndpoint.post("unpublish")`/workflows/${id}/unpublish`
      .addSuccess(single(WorkflowResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Unpublish a workflow: events count for it no more")
  )
  .annotate(OpenApi.Title, "Workflows")
  .annotate(OpenApi.Description, "Automations that business events start. What they do is not here yet.")
